import { describeExit } from '../../launch/agent-process.ts';
import type { Finding } from '../finding.ts';
import type { Departure } from '../subject.ts';

/** How it left. */
export function* describeDeparture(departure: Departure): Generator<Finding, undefined> {
  const { isEarly, milliseconds, exit, left } = departure;
  const details = { ...(exit && { exit }), left };
  if (isEarly) yield { layer: 'exit', verdict: 'skipped', message: 'It was gone already.', details };
  else yield { layer: 'exit', ...leaving(departure), milliseconds, details };
  if (left.length > 0) yield leftBehind(left);
}

function leaving({ exit, neededSignal }: Departure): Pick<Finding, 'verdict' | 'message' | 'advice'> {
  if (exit === undefined)
    return {
      verdict: 'failed',
      message: 'It does not leave, not even when it is killed.',
      advice: 'It hangs in the system itself, as with a network disk that is away. Look for it with ps.',
    };
  if (neededSignal) {
    const advice =
      'Give it more time if it has work to do then. Else tell its authors: clients close stdin and expect it to leave.';
    return {
      verdict: 'warning',
      message: `It did not leave when its stdin was closed, and ${describeExit(exit)} after a signal.`,
      advice,
    };
  }
  return {
    verdict: 'ok',
    message: `It leaves by itself once its stdin is closed${exit.code === 0 ? '' : `, and ${describeExit(exit)}`}.`,
  };
}

function leftBehind(left: readonly number[]): Finding {
  const what = left.length === 1 ? 'A process it had started was' : `${left.length} processes it had started were`;
  return {
    layer: 'exit',
    verdict: 'warning',
    message: `${what} still there after it left, and ${left.length === 1 ? 'was' : 'were'} ended.`,
    advice:
      'A client that does not end whole trees of processes leaves them behind. Tell its authors, or look for an option that keeps it from starting them.',
  };
}
