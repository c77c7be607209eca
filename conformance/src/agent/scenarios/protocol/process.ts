import { within } from '@turnwire/machine/waits';
import type { LineProcess } from '../../../wire/line.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentContext, withAgent } from '../../agent-context.ts';
import { framesOf } from '../../frames.ts';
import { beginBusyTurn } from '../../fixtures/busy-turn.ts';
import { isGoneWithin } from '../../fixtures/running-process.ts';
import type { ReadyAgent } from '../../session.ts';

/** How long to watch an agent before the first request, in milliseconds. */
const beforeAnything = 250;
/** How long commands of the agent may outlive it, in milliseconds. */
const childrenAfter = 2_000;

/** What an agent may print to stdout, and when it must exit. An audit rule judges on every connection that stdout carries only messages. */
export const processScenarios: AgentScripts = {
  'stdout/first-words': async (context) => {
    const wire = await context.open();
    await wire.quiet(beforeAnything);
    const { reply } = await context.initialize(wire);
    const before = wire.journal.slice(0, wire.journal.indexOf(reply.entry));
    const early = ['fs/', 'terminal/', 'elicitation/'].flatMap((group) => framesOf(before).requests(group));
    context.see.check(
      'R042',
      early.length > 0 && 'the agent called methods of the client before it knew the capabilities',
      early,
    );
  },
  // An audit rule judges what it prints.
  'stdout/first-run': async (context) => {
    context.isAtOwnHome = true;
    const { wire } = await context.ready();
    // Without the user's home a login or a model may be missing.
    await wire.ask('session/new', { cwd: context.folder, mcpServers: [] }).catch(() => undefined);
    await wire.quiet(beforeAnything);
  },
  'stdout/commands': async (context) => {
    await context.file('noise.sh', 'echo turnwire-noise | tee ran.txt\n');
    await (await context.session()).does('run', { command: 'sh noise.sh' });
    if ((await context.textOf('ran.txt')) === undefined) throw new Stopped('the agent did not run the command itself');
  },
  'shutdown/idle': withAgent([], async (agent, context) => {
    processOf(agent);
    // An open session often keeps an agent alive. A refused session does not matter here.
    await agent.askForSession();
    agent.wire.endInput();
    await seeExit(context, agent, 'the agent still runs after its stdin was closed');
  }),
  'shutdown/mid-turn': withAgent([], async (agent, context) => {
    processOf(agent);
    const { pid } = await beginBusyTurn(context, await agent.session());
    agent.wire.endInput();
    if (!(await seeExit(context, agent, 'the agent still runs after its stdin was closed during a turn'))) return;
    context.see.check(
      'R012',
      !(await isGoneWithin(pid, childrenAfter)) && 'a command that the agent started outlived it',
    );
  }),
  'shutdown/terminated': withAgent([], async (agent, context) => {
    processOf(agent);
    agent.wire.terminate();
    await seeExit(context, agent, 'the agent still runs after SIGTERM');
  }),
};

function processOf({ wire: { line } }: ReadyAgent): LineProcess {
  if (line.process === undefined || line.endInput === undefined) throw new Stopped('the agent is not a process');
  return line.process;
}

async function seeExit({ see, settings }: AgentContext, agent: ReadyAgent, fault: string): Promise<boolean> {
  const exit = await within(settings.timeouts.answer, processOf(agent).exited);
  return see.check('R012', exit === undefined && fault);
}
