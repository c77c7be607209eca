import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../../verdict/observer.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { SimulatedAgent } from '../agent/simulated-agent.ts';
import type { ClientScripts } from '../client-context.ts';
import { faultOf, reportsDeath, textAfter } from './endings.ts';

/** The shortest acceptable pause before another start, in milliseconds: one second, minus the inaccuracy of clocks and starts. */
const leastPause = 700;

export const shutdownScenarios: ClientScripts = {
  'shutdown/input-first': async (context) => {
    context.play((agent) => agent.stay());
    const { agent, end } = await context.turn((turn) => turn.say(textAfter));
    const gone = agent.process.gone.then(() => true);
    const isGone = await Promise.race([gone, delay(context.settings.timeouts.leave, false)]);
    if (!isGone && !end.pids.includes(agent.process.parent))
      throw new Stopped('the agent still runs, but a process between it and the client may have ended');
    context.see.check(
      'R011',
      (isGone ? shutdownFault(agent) : 'the client exited and left its agent running') || faultOf(end),
    );
  },
  'shutdown/exits-always': async (context) => {
    const times: number[] = [];
    context.play((agent) => {
      times.push(performance.now());
      agent.handle('initialize', () => agent.leave(3));
    });
    await context.perform('prompt');
    const { starts } = context.baseline;
    if (times.length <= starts) throw new Stopped('the client did not start its agent again');
    context.see.check('R329', faultOfTries(times, starts));
  },
  'shutdown/stdout-closed': async (context) => {
    const done = await context.turn(({ agent: { line } }) => {
      if (line.endInput === undefined) throw new Stopped('the connection cannot be closed in one direction');
      line.endInput();
      return null;
    });
    // A shell between the two may hold the pipe open.
    if (done.end.how === 'interrupted')
      throw new Stopped('the client may not have noticed that the stdout of its agent was closed');
    reportsDeath(context, done);
  },
  'shutdown/odd-exit-code': async (context) => {
    context.play((agent) => {
      agent.stay();
      agent.process.onEvent((event) => void (event === 'end of stdin' && agent.leave(9)));
    });
    const { end } = await context.turn((turn) => turn.say(textAfter));
    context.see.check('R011', faultOf(end));
  },
};

/**
 * The fault in how a client restarts its agent: without end, or without a pause of at least a second.
 * @param starts how often the client normally starts its agent
 */
function faultOfTries(times: readonly number[], starts: number): Fault {
  const started = `the agent was started ${String(times.length)} times`;
  if (times.length > 6 * starts) return started;
  const pauses = times.slice(1).map((time, nth) => time - (times[nth] ?? 0));
  const isTooFast = starts === 1 && pauses.every((pause) => pause < leastPause);
  return isTooFast && `${started} without a pause`;
}

function shutdownFault({ process: { events, left } }: SimulatedAgent): Fault {
  if (events.includes('end of stdin')) return false;
  // The process may be killed so soon afterwards that it never sees the end of its input.
  if (!left) throw new Stopped('the agent was killed before it could see the end of its input');
  const signal = events.find((event) => event === 'SIGTERM' || event === 'SIGHUP');
  return `the agent received ${String(signal)} instead of the end of its input`;
}
