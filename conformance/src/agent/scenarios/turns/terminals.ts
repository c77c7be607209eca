import type { JournalEntry } from '../../../wire/journal.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { askedIn, entriesOf, objectsIn, toolReportsIn } from '../../pieces/frames.ts';
import { type Begun, beginSession, expectDone, untilReleased } from '../../pieces/preconditions.ts';

/** Commands in terminals of the client; what becomes of them at a cancel is among the cancels. */
export const terminalsScenarios: readonly AgentScenario[] = [
  {
    id: 'terminals/life',
    title: 'a terminal is created, shown in a tool call while it is there, and released',
    covers: ['R191', 'R219', 'R226'],
    run: runInTerminal,
  },
  {
    id: 'terminals/failing',
    title: 'the terminal of a command that fails is released',
    covers: ['R226'],
    run: async (stage) => {
      const { wire, sessionId, host } = await beginSession(stage);
      const { entries } = await stage.prompt(wire, sessionId, stage.steer('run', { command: 'ls no-such-quince' }));
      expectDone(host.terminals.created > 0, 'run a command in a terminal of the client');
      await seeReleased(stage, { wire, host, entries });
    },
  },
];

async function runInTerminal(stage: AgentStage): Promise<void> {
  const { wire, sessionId, host } = await beginSession(stage);
  const { entries } = await stage.prompt(wire, sessionId, stage.steer('run', { command: 'echo quince' }));
  expectDone(host.terminals.created > 0, 'run a command in a terminal of the client');
  await seeReleased(stage, { wire, host, entries });
  seeEmbedding(stage, entries);
  const relative = askedIn(entries, 'terminal/create').filter(({ params }) => !isAbsoluteOrAbsent(params['cwd']));
  stage.see.check('R219', relative.length === 0, { otherwise: 'cwd is not absolute', evidence: entriesOf(relative) });
}

async function seeReleased(
  { see }: AgentStage,
  { wire, host, entries }: Pick<Begun, 'wire' | 'host'> & { readonly entries: readonly JournalEntry[] },
): Promise<void> {
  await untilReleased(wire, host);
  see.check('R226', host.terminals.held.length === 0, {
    otherwise: `the turn ended and ${host.terminals.held.join(', ')} was never released`,
    evidence: entriesOf(askedIn(entries, 'terminal/')),
  });
}

/** What is shown after its release cannot be shown live any more. */
function seeEmbedding({ see }: AgentStage, entries: readonly JournalEntry[]): void {
  const shown = toolReportsIn(entries).flatMap(({ entry, update }) =>
    objectsIn(update['content'])
      .filter(({ type }) => type === 'terminal')
      .map(({ terminalId }) => ({ entry, terminalId })),
  );
  if (shown.length === 0) return see.unseen('R191', 'the agent shows no terminal in its tool calls');
  const releases = askedIn(entries, 'terminal/release');
  for (const terminalId of new Set(shown.map((each) => each.terminalId))) {
    const first = shown.find((each) => each.terminalId === terminalId)?.entry;
    const release = releases.find(({ params }) => params['terminalId'] === terminalId)?.entry;
    const isInTime = release === undefined || first === undefined || entries.indexOf(first) < entries.indexOf(release);
    see.check('R191', isInTime, {
      otherwise: `${JSON.stringify(terminalId)} was released before it was shown`,
      evidence: [release, first].filter((entry) => entry !== undefined),
    });
  }
}

function isAbsoluteOrAbsent(cwd: unknown): boolean {
  return cwd === undefined || cwd === null || (typeof cwd === 'string' && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(cwd));
}
