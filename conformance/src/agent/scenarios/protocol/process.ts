import { within } from '@turnwire/machine/waits';
import type { JournalEntry } from '../../../wire/journal.ts';
import type { LineProcess } from '../../../wire/line.ts';
import { asMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScenario, agentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { framesOf } from '../../frames.ts';
import { bareClient } from '../../host/client-offer.ts';
import { beginBusyTurn } from '../../pieces/busy-turn.ts';
import { isGoneWithin } from '../../pieces/running-process.ts';
import type { ReadyAgent } from '../../session.ts';

/** How long an agent is watched before anything is asked of it, and what it started may live on after it: in milliseconds. */
const beforeAnything = 250;
const childrenAfter = 2_000;

/** What stdout is for. */
export const stdoutScenarios: readonly AgentScenario[] = [
  agentScenario('stdout/first-words', ['R009', 'R042'], {
    title: 'nothing is said before initialize is answered',
    run: async (stage) => {
      const wire = await stage.open();
      await wire.quiet(beforeAnything);
      const { reply } = await stage.initialize(wire);
      const before = wire.journal.slice(0, wire.journal.indexOf(reply.entry));
      seeNoise(stage, before);
      const early = ['fs/', 'terminal/', 'elicitation/'].flatMap((group) => framesOf(before).asked(group));
      stage.see.check('R042', early.length > 0 && 'the client was called before it sent its capabilities', early);
    },
  }),
  agentScenario('stdout/commands', ['R009'], {
    title: 'what a command prints does not get into the protocol',
    client: bareClient,
    run: async (stage) => {
      await stage.file('noise.sh', 'echo turnwire-noise | tee ran.txt\n');
      const { entries } = await (await stage.session()).does('run', { command: 'sh noise.sh' });
      if ((await stage.textOf('ran.txt')) === undefined) throw new Stopped('the agent did not run the command itself');
      seeNoise(stage, entries);
    },
  }),
];

/** The end. */
export const shutdownScenarios: readonly AgentScenario[] = [
  agentScenario('shutdown/idle', ['R012'], {
    title: 'an agent whose stdin ends exits',
    run: async (stage) => {
      const agent = await stage.ready();
      processOf(agent);
      // What keeps an agent alive is more often a session; there need not be one.
      await agent.askForSession();
      agent.wire.endInput();
      await seeExit(stage, agent, 'it still runs after its stdin ended');
    },
  }),
  agentScenario('shutdown/mid-turn', ['R012'], {
    title: 'an agent whose stdin ends during a turn exits, and so does what it started',
    client: bareClient,
    run: async (stage) => {
      const agent = await stage.ready();
      processOf(agent);
      const { pid } = await beginBusyTurn(stage, await agent.session());
      agent.wire.endInput();
      if (!(await seeExit(stage, agent, 'it still runs after its stdin ended during a turn'))) return;
      stage.see.check('R012', !(await isGoneWithin(pid, childrenAfter)) && 'a command that it started outlived it');
    },
  }),
  agentScenario('shutdown/terminated', ['R012'], {
    title: 'an agent that receives SIGTERM terminates',
    run: async (stage) => {
      const agent = await stage.ready();
      processOf(agent);
      agent.wire.terminate();
      await seeExit(stage, agent, 'it still runs after SIGTERM');
    },
  }),
];

function seeNoise({ see }: AgentStage, entries: readonly JournalEntry[]): void {
  const noise = entries.filter(({ from, message }) => from === 'agent' && asMessage(message) === undefined);
  see.check('R009', noise.length > 0 && 'there are lines that are not messages', noise);
}

function processOf({ wire: { line } }: ReadyAgent): LineProcess {
  if (line.process === undefined || line.endInput === undefined) throw new Stopped('the agent is not a process');
  return line.process;
}

async function seeExit({ see, settings }: AgentStage, agent: ReadyAgent, fault: string): Promise<boolean> {
  const exit = await within(settings.patience.answer, processOf(agent).exited);
  return see.check('R012', exit === undefined && fault);
}
