import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../../wire/stopped.ts';
import type { LineProcess } from '../../../wire/line.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { beginBusyTurn } from '../../pieces/busy-turn.ts';
import { isGoneWithin } from '../../pieces/running-process.ts';

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
      const { id: sessionId } = await stage.newSession(wire);
      const { pid } = await beginBusyTurn(stage, wire, sessionId);
      if (!(await seeEnd(stage, wire, 'it still runs after its stdin ended during a turn'))) return;
      stage.see.check('R012', await isGoneWithin(pid, childrenAfter), {
        otherwise: 'a command that it started outlived it',
      });
    },
  },
  {
    id: 'shutdown/terminated',
    title: 'an agent that receives SIGTERM terminates',
    covers: ['R012'],
    run: async (stage) => {
      const { wire } = await stage.ready();
      processOf(wire);
      wire.terminate();
      await seeExit(stage, wire, 'it still runs after SIGTERM');
    },
  },
];

function processOf(wire: Wire): LineProcess {
  if (wire.line.process === undefined || wire.line.endInput === undefined)
    throw new Stopped('the agent is not a process');
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
