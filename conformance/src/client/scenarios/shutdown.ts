import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../../verdict/observer.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import type { ClientScripts } from '../client-stage.ts';
import { faultOf, reportsDeath, wordsAfter } from './endings.ts';

/** How long a pause before another try is at least, in milliseconds: a second less what clocks and starts are off by. */
const hasty = 700;

export const shutdownScenarios: ClientScripts = {
  'shutdown/input-first': async (stage) => {
    stage.play((agent) => agent.stay());
    const { agent, end } = await stage.turn((turn) => turn.say(wordsAfter));
    const gone = agent.process.gone.then(() => true);
    const isGone = await Promise.race([gone, delay(stage.settings.patience.leave, false)]);
    if (!isGone && !end.pids.includes(agent.process.parent))
      throw new Stopped('the agent continues, and between it and the client was something that may be gone');
    stage.see.check('R011', (isGone ? shutdownFault(agent) : 'the agent was left running') || faultOf(end));
  },
  'shutdown/exits-always': async (stage) => {
    const times: number[] = [];
    stage.play((agent) => {
      times.push(performance.now());
      agent.handle('initialize', () => agent.leave(3));
    });
    await stage.perform('prompt');
    const { starts } = stage.habits;
    if (times.length <= starts) throw new Stopped('the client did not start its agent again');
    stage.see.check('R329', faultOfTries(times, starts));
  },
  'shutdown/stdout-closed': async (stage) => {
    const done = await stage.turn(({ agent: { line } }) => {
      if (line.endInput === undefined) throw new Stopped('the connection cannot be closed in one direction');
      line.endInput();
      return null;
    });
    // A shell between them holds the line open.
    if (done.end.how === 'interrupted')
      throw new Stopped('the client may not have seen that the stdout of its agent was closed');
    reportsDeath(stage, done);
  },
  'shutdown/odd-exit-code': async (stage) => {
    stage.play((agent) => {
      agent.stay();
      agent.process.onEvent((event) => void (event === 'end of stdin' && agent.leave(9)));
    });
    const { end } = await stage.turn((turn) => turn.say(wordsAfter));
    stage.see.check('R011', faultOf(end));
  },
};

/**
 * That there is an end of it, and a pause before another try: of a second, and then more.
 * @param starts how often the client starts its agent anyway
 */
function faultOfTries(times: readonly number[], starts: number): Fault {
  const started = `the agent was started ${String(times.length)} times`;
  if (times.length > 6 * starts) return started;
  const pauses = times.slice(1).map((time, place) => time - (times[place] ?? 0));
  const isHasty = starts === 1 && pauses.every((pause) => pause < hasty);
  return isHasty && `${started} without a pause`;
}

function shutdownFault({ process: { events, left } }: PlayedAgent): Fault {
  if (events.includes('end of stdin')) return false;
  // The process may be killed so soon after that it never saw the end of its input.
  if (!left) throw new Stopped('the agent was killed before it could see the end of its input');
  const signal = events.find((event) => event === 'SIGTERM' || event === 'SIGHUP');
  return `the agent got ${String(signal)} and not the end of its input`;
}
