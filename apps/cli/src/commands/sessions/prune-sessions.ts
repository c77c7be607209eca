import { stat } from 'node:fs/promises';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { agentCommand } from '../../agent-command.ts';
import { agentKey, type SessionRecord } from '../../store/session-record.ts';
import { SessionStore } from '../../store/session-store.ts';
import { withLease } from '../../owner/lease.ts';
import { report } from '../report.ts';

/** Which closed sessions to delete. */
export interface PruneGiven {
  readonly dryRun?: true;
  /** Closed before this. */
  readonly before?: Date;
  /** Closed so many days ago. */
  readonly olderThan?: number;
}

const day = 24 * 60 * 60 * 1000;

/** Deletes closed sessions with their histories. Resolves with the exit code. */
export async function pruneSessions(given: PruneGiven, options: GlobalOptions): Promise<number> {
  const { choice } = await agentCommand(options);
  const store = new SessionStore();
  const { records, damaged } = await store.list();
  for (const { message } of damaged) complain(message);
  const limit = given.before?.getTime() ?? Date.now() - (given.olderThan ?? 0) * day;
  const old = records.filter((record) => agentKey(record.agent) === agentKey(choice) && isOlder(record, limit));
  const sizes = await Promise.all(
    old.map(({ id }) =>
      stat(store.historyOf(id)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  if (!given.dryRun) for (const { id } of old) await withLease(store.folderOf(id), () => store.remove(id));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const ids = old.map(({ id }) => id);
  report(options, { action: 'sessions_pruned', dryRun: given.dryRun === true, count: old.length, bytes, ids }, () =>
    options.format === 'quiet' ? ids.join('\n') || undefined : summary(old, given.dryRun === true),
  );
  return exitCodes.ok;
}

function isOlder({ closedAt }: SessionRecord, limit: number): boolean {
  return closedAt !== undefined && Date.parse(closedAt) <= limit;
}

function summary(old: readonly SessionRecord[], isDry: boolean): string {
  const head = `${isDry ? 'would delete' : 'deleted'} ${old.length} session${old.length === 1 ? '' : 's'}`;
  return [head, ...old.map(({ id, name, closedAt }) => `  ${id}\t${name ?? '-'}\t${closedAt}`)].join('\n');
}
