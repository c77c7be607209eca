import { describeExit } from '../../launch/agent-process.ts';
import type { Finding } from '../finding.ts';
import type { Departure } from '../subject.ts';

/** Reports how the process exited. */
export function* describeDeparture(departure: Departure): Generator<Finding, undefined> {
  const { isEarly, milliseconds, exit, left } = departure;
  const details = { ...(exit && { exit }), left };
  if (isEarly) yield { layer: 'exit', verdict: 'skipped', message: 'It had already exited.', details };
  else yield { layer: 'exit', ...leaving(departure), milliseconds, details };
  if (left.length > 0) yield leftBehind(left);
}

function leaving({ exit, neededSignal }: Departure): Pick<Finding, 'verdict' | 'message' | 'advice'> {
  if (exit === undefined)
    return {
      verdict: 'failed',
      message: 'It does not exit, not even when it is killed.',
      advice: 'It is blocked in the operating system, for example by an unreachable network disk. Look for it with ps.',
    };
  if (neededSignal) {
    const advice =
      'Give it more time if it needs it to finish its work. Otherwise report it to its authors: clients close stdin and expect the agent to exit.';
    return {
      verdict: 'warning',
      message: `It did not exit when its stdin was closed: it was sent a signal, and ${describeExit(exit)}.`,
      advice,
    };
  }
  return {
    verdict: 'ok',
    message: `It exits by itself once its stdin is closed${exit.code === 0 ? '' : `, and ${describeExit(exit)}`}.`,
  };
}

function leftBehind(left: readonly number[]): Finding {
  const what = left.length === 1 ? 'A process it had started was' : `${left.length} processes it had started were`;
  return {
    layer: 'exit',
    verdict: 'warning',
    message: `${what} still running after it exited, and ${left.length === 1 ? 'was' : 'were'} ended.`,
    advice:
      'A client that does not end whole trees of processes leaves them behind. Report it to its authors, or look for an option that prevents such processes.',
  };
}
