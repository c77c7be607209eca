import { within } from '@turnwire/machine/waits';
import type { LineProcess } from '../../../wire/line.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentStage, withAgent } from '../../agent-stage.ts';
import { framesOf } from '../../frames.ts';
import { beginBusyTurn } from '../../pieces/busy-turn.ts';
import { isGoneWithin } from '../../pieces/running-process.ts';
import type { ReadyAgent } from '../../session.ts';

/** How long an agent is watched before anything is asked of it, and what it started may live on after it: in milliseconds. */
const beforeAnything = 250;
const childrenAfter = 2_000;

/** What stdout is for, and the end. That nothing but messages is printed is judged of every connection. */
export const processScenarios: AgentScripts = {
  'stdout/first-words': async (stage) => {
    const wire = await stage.open();
    await wire.quiet(beforeAnything);
    const { reply } = await stage.initialize(wire);
    const before = wire.journal.slice(0, wire.journal.indexOf(reply.entry));
    const early = ['fs/', 'terminal/', 'elicitation/'].flatMap((group) => framesOf(before).asked(group));
    stage.see.check('R042', early.length > 0 && 'the client was called before it sent its capabilities', early);
  },
  'stdout/commands': async (stage) => {
    await stage.file('noise.sh', 'echo turnwire-noise | tee ran.txt\n');
    await (await stage.session()).does('run', { command: 'sh noise.sh' });
    if ((await stage.textOf('ran.txt')) === undefined) throw new Stopped('the agent did not run the command itself');
  },
  'shutdown/idle': withAgent([], async (agent, stage) => {
    processOf(agent);
    // What keeps an agent alive is more often a session; there need not be one.
    await agent.askForSession();
    agent.wire.endInput();
    await seeExit(stage, agent, 'it still runs after its stdin ended');
  }),
  'shutdown/mid-turn': withAgent([], async (agent, stage) => {
    processOf(agent);
    const { pid } = await beginBusyTurn(stage, await agent.session());
    agent.wire.endInput();
    if (!(await seeExit(stage, agent, 'it still runs after its stdin ended during a turn'))) return;
    stage.see.check('R012', !(await isGoneWithin(pid, childrenAfter)) && 'a command that it started outlived it');
  }),
  'shutdown/terminated': withAgent([], async (agent, stage) => {
    processOf(agent);
    agent.wire.terminate();
    await seeExit(stage, agent, 'it still runs after SIGTERM');
  }),
};

function processOf({ wire: { line } }: ReadyAgent): LineProcess {
  if (line.process === undefined || line.endInput === undefined) throw new Stopped('the agent is not a process');
  return line.process;
}

async function seeExit({ see, settings }: AgentStage, agent: ReadyAgent, fault: string): Promise<boolean> {
  const exit = await within(settings.patience.answer, processOf(agent).exited);
  return see.check('R012', exit === undefined && fault);
}
