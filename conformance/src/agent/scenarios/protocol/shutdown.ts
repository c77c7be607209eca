import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../../verdict/stopped.ts';
import type { LineProcess } from '../../../wire/line.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { isRunning, slowCommand } from '../../pieces/slow-command.ts';

/** How long what an agent started may live on after it, in milliseconds. */
const childrenAfter = 2_000;

/** The end. */
export const shutdownScenarios: readonly AgentScenario[] = [
  {
    id: 'shutdown/idle',
    title: 'an agent whose stdin ends exits',
    covers: ['R012'],
    run: async (stage) => {
      const { wire } = await stage.ready();
      processOf(wire);
      // What keeps an agent alive is more often a session; there need not be one.
      await wire.ask('session/new', { cwd: stage.folder, mcpServers: [] });
      await seeEnd(stage, wire, 'it still runs after its stdin ended');
    },
  },
  {
    id: 'shutdown/mid-turn',
    title: 'an agent whose stdin ends during a turn exits, and so does what it started',
    covers: ['R012'],
    client: bareClient,
    run: async (stage) => {
      const { wire } = await stage.ready();
      processOf(wire);
      const command = await slowCommand(stage.folder);
      const prompt = [{ type: 'text', text: stage.steer('run', { command: command.words }) }];
      const { id: sessionId } = await stage.newSession(wire);
      const params = { sessionId, prompt };
      wire.send({ jsonrpc: '2.0', id: 'slow', method: 'session/prompt', params });
      const isOver = wire.next(({ id }) => id === 'slow', { within: stage.turnPatience });
      const pid = await Promise.race([command.pid(stage.turnPatience), isOver.then(() => undefined)]);
      if (pid === undefined) throw new Stopped('the agent does not run the command itself');
      if (!(await seeEnd(stage, wire, 'it still runs after its stdin ended during a turn'))) return;
      await seeChildEnd(stage, pid);
    },
  },
  {
    id: 'shutdown/terminated',
    title: 'an agent that is told to terminate does',
    covers: ['R012'],
    run: async (stage) => {
      const { wire } = await stage.ready();
      processOf(wire).kill('SIGTERM');
      await seeExit(stage, wire, 'it still runs after SIGTERM');
    },
  },
];

function processOf(wire: Wire): LineProcess {
  if (wire.line.process === undefined || wire.line.endInput === undefined) throw new Stopped('the agent is no process');
  return wire.line.process;
}

async function seeEnd(stage: AgentStage, wire: Wire, otherwise: string): Promise<boolean> {
  processOf(wire);
  wire.endInput();
  return seeExit(stage, wire, otherwise);
}

async function seeExit({ see, settings }: AgentStage, wire: Wire, otherwise: string): Promise<boolean> {
  const { exited } = processOf(wire);
  const timer = new AbortController();
  const late = delay(settings.patience.answer, false, { signal: timer.signal }).catch(() => false);
  const hasExited = await Promise.race([exited.then(() => true), late]);
  timer.abort();
  return see.check('R012', hasExited, { otherwise });
}

async function seeChildEnd({ see }: AgentStage, pid: number): Promise<void> {
  const until = performance.now() + childrenAfter;
  while ((await isRunning(pid)) && performance.now() < until) await delay(20);
  see.check('R012', !(await isRunning(pid)), { otherwise: 'a command that it started outlived it' });
}
