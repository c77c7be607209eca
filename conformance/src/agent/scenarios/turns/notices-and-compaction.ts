import { join } from 'node:path';
import type { JournalEntry } from '../../../wire/journal.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { entriesOf, objectsIn, type Update, updatesIn } from '../../pieces/frames.ts';
import { expectDone } from '../../pieces/preconditions.ts';

/** What only clients get that asked for it. */
export const noticesAndCompactionScenarios: readonly AgentScenario[] = [
  {
    id: 'notices/not-offered',
    title: 'a client that shows no notices gets none',
    covers: ['R315'],
    run: async (stage) => {
      const isNotice = ({ kind }: Update): boolean => kind === 'notice';
      const asked = await seenBy(stage, {}, provokeNotice);
      expectDone(
        asked.some(isNotice),
        'begin a session with an MCP server that cannot be started, and to report it with a notice',
      );
      const unasked = (await seenBy(stage, { clientCapabilities: bareClient }, provokeNotice)).filter(isNotice);
      stage.see.check('R315', unasked.length === 0, {
        otherwise: 'the agent sent a notice to a client that offers no session.notices',
        evidence: entriesOf(unasked),
      });
    },
  },
  {
    id: 'compaction/not-offered',
    title: 'a client that does not support compactions receives none',
    covers: ['R319'],
    run: async (stage) => {
      const isCompaction = ({ kind }: Update): boolean => String(kind).startsWith('compaction_');
      const asked = await seenBy(stage, {}, compact);
      expectDone(asked.some(isCompaction), 'report a compaction');
      const unasked = (await seenBy(stage, { clientCapabilities: bareClient }, compact)).filter(isCompaction);
      stage.see.check('R319', unasked.length === 0, {
        otherwise: 'the agent sent a compaction to a client that offers no session.compaction',
        evidence: entriesOf(unasked),
      });
    },
  },
];

/** The updates that a client with these changes to its handshake gets while something happens. */
async function seenBy(
  stage: AgentStage,
  changes: Parameters<AgentStage['ready']>[0],
  happen: (stage: AgentStage, wire: Wire) => Promise<void>,
): Promise<readonly Update[]> {
  const { wire } = await stage.ready(changes);
  await happen(stage, wire);
  return updatesIn(wire.journal);
}

/** Gives an agent something to complain about that does not keep it from working. */
async function provokeNotice(stage: AgentStage, wire: Wire): Promise<void> {
  const command = join(stage.folder, 'no-such-server');
  const { id } = await stage.newSession(wire, { mcpServers: [{ name: 'gone', command, args: [], env: [] }] });
  await stage.prompt(wire, id, stage.steer('say', { text: 'quince' }));
}

/** Has a conversation shortened, by the command that agents have for it. */
async function compact(stage: AgentStage, wire: Wire): Promise<void> {
  const { id } = await stage.newSession(wire);
  for (const text of ['quince', 'medlar']) await stage.prompt(wire, id, stage.steer('say', { text }));
  expectDone(commandsIn(wire.journal).has('compact'), 'compact a conversation by a command of that name');
  await stage.prompt(wire, id, '/compact');
}

function commandsIn(entries: readonly JournalEntry[]): ReadonlySet<unknown> {
  return new Set(
    updatesIn(entries).flatMap(({ update }) => objectsIn(update['availableCommands']).map(({ name }) => name)),
  );
}
