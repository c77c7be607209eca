import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { readHistory } from '../../store/history.ts';
import { agentTitle } from '../../store/session-record.ts';
import { report } from '../report.ts';
import { existingSession } from '../session-place.ts';
import { entriesOf, type HistoryEntry } from './history-entries.ts';

/** Says everything that is kept of a session but what was said in it. Resolves with the exit code. */
export async function showSession(name: string | undefined, options: GlobalOptions): Promise<number> {
  const { store, record } = await existingSession(options, name);
  const history = store.historyOf(record.id);
  report(options, { ...record, history }, () => {
    const { id, sessionId, agent, cwd, createdAt, lastUsedAt, lastPromptAt, closedAt, modeId, canLoad, contextLostAt } =
      record;
    const rows = {
      id,
      sessionId,
      agent: agentTitle(agent),
      cwd,
      name: record.name,
      created: createdAt,
      lastActivity: lastUsedAt,
      lastPrompt: lastPromptAt,
      closed: closedAt ?? 'no',
      mode: modeId,
      canBeLoaded: canLoad === undefined ? undefined : canLoad ? 'yes' : 'no',
      contextLost: contextLostAt,
      history,
    };
    return options.format === 'quiet'
      ? id
      : Object.entries(rows)
          .map(([key, value]) => `${key}: ${value ?? '-'}`)
          .join('\n');
  });
  return exitCodes.ok;
}

/** Prints what was said in a session, the last entries first cut to a line each, or in full. Resolves with the exit code. */
export async function printHistory(
  name: string | undefined,
  { limit, isFull }: { readonly limit?: number | undefined; readonly isFull: boolean },
  options: GlobalOptions,
): Promise<number> {
  const { store, record } = await existingSession(options, name);
  const path = store.historyOf(record.id);
  const { events, damagedLines } = await readHistory(path);
  if (damagedLines.length > 0) complain(`${path}: lines ${damagedLines.join(', ')} cannot be read and are left out`);
  const all = entriesOf(events);
  const entries = limit === undefined ? all : limit === 0 ? [] : all.slice(-limit);
  const { id, sessionId } = record;
  report(options, { id, sessionId, count: entries.length, total: all.length, entries }, () => {
    const lines = entries.map((entry) => entryText(entry, isFull));
    const head = `session: ${id} (${entries.length}/${all.length} shown)`;
    return (options.format === 'quiet' ? lines : [head, ...lines]).join('\n');
  });
  return exitCodes.ok;
}

function entryText({ timestamp, role, text }: HistoryEntry, isFull: boolean): string {
  const line = text.replace(/\s+/g, ' ');
  return `${timestamp}\t${role}\t${isFull ? text : line.length > 200 ? `${line.slice(0, 199)}…` : line}`;
}
