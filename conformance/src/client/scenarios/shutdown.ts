import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../../verdict/observer.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import type { ClientScript, ClientScripts, ClientStage, Done } from '../client-stage.ts';
import { faultOf, reports, wordsAfter } from './endings.ts';

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
  'shutdown/exit-at-initialize': leaves('initialize'),
  'shutdown/exit-at-new': leaves('session/new'),
  'shutdown/exit-at-prompt': leaves('session/prompt'),
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
  'shutdown/killed': async (stage) => {
    const done = await stage.turn(({ agent }) => {
      agent.process.die('SIGKILL');
      return null;
    });
    judgeDeath(stage, done);
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
    judgeDeath(stage, done);
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

/** An agent that exits at an unfortunate time. */
function leaves(at: string): ClientScript {
  return async (stage) => {
    stage.play((agent) => agent.handle(at, () => agent.leave(3)));
    const done = await stage.perform('prompt');
    if (stage.agents.every((agent) => agent.calls(at).length === 0)) throw new Stopped(`the client sent no ${at}`);
    judgeDeath(stage, done);
  };
}

/** That a client does not wait for an agent that is gone (R013), and reports that it is. */
function judgeDeath(stage: ClientStage, done: Done): void {
  const waits = done.end.how !== 'by itself';
  if (waits && stage.agents.length <= stage.habits.starts)
    return void stage.see.check('R013', faultOf(done.end), done.agent.journal.slice(-4));
  if (!waits) stage.see.held('R013');
  reports(stage, done);
}

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
