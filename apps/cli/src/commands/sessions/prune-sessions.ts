import { stat } from 'node:fs/promises';
import { FileLock, takeLock } from '@turnwire/machine';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { agentChoice } from '../../driving/agent-command.ts';
import { agentKey, type SessionRecord } from '../../store/session-record.ts';
import { DamagedRecord, type Inventory, SessionStore } from '../../store/session-store.ts';
import { report } from '../report.ts';
import { complainOf } from '../session-place.ts';

/** Which sessions to delete. */
export interface PruneGiven {
  readonly dryRun?: true;
  /** Closed before this. */
  readonly before?: Date;
  /** Closed at least so many days ago. */
  readonly olderThan?: number;
  /** Sessions of any agent whose record cannot be read, instead of closed ones. */
  readonly damaged?: true;
}

const day = 24 * 60 * 60 * 1000;

/** Deletes closed sessions with their histories, or damaged ones. Resolves with the exit code. */
export async function pruneSessions(given: PruneGiven, options: GlobalOptions): Promise<number> {
  const store = new SessionStore();
  const all = await store.list();
  if (!given.damaged) all.damaged.forEach(complainOf);
  const found = given.damaged ? all.damaged : await closedOnes(all, given, options);
  const pruned: { readonly each: Prunable; readonly size: number }[] = [];
  for (const each of found) {
    const { size } = await stat(store.historyOf(each.id)).catch(() => ({ size: 0 }));
    if (given.dryRun || (await removed(store, each).catch(notRemoved(each)))) pruned.push({ each, size });
  }
  const bytes = pruned.reduce((sum, { size }) => sum + size, 0);
  const ids = pruned.map(({ each }) => each.id);
  report(options, { action: 'sessions_pruned', dryRun: given.dryRun === true, count: ids.length, bytes, ids }, () =>
    options.format === 'quiet' ? ids.join('\n') || undefined : summary(pruned, given.dryRun === true),
  );
  return exitCodes.ok;
}

type Prunable = SessionRecord | DamagedRecord;

async function closedOnes(
  { records }: Inventory,
  given: PruneGiven,
  options: GlobalOptions,
): Promise<readonly SessionRecord[]> {
  const choice = agentChoice(options);
  const limit = given.before?.getTime() ?? Date.now() - (given.olderThan ?? 0) * day;
  return records.filter(
    (record) =>
      agentKey(record.agent) === agentKey(choice) &&
      record.closedAt !== undefined &&
      Date.parse(record.closedAt) <= limit,
  );
}

/** Deletes a session without a host, if it has not changed since it was found. */
async function removed(store: SessionStore, found: Prunable): Promise<boolean> {
  const lock = await takeLock(store.lockOf(found.id));
  if (!(lock instanceof FileLock)) {
    complain(`the session ${found.id} is not deleted: process ${lock.pid} is using it`);
    return false;
  }
  await using _lock = lock;
  const now = store.look(found.id);
  const isDamaged = now instanceof DamagedRecord;
  const isStill = found instanceof DamagedRecord ? isDamaged : !isDamaged && now?.closedAt !== undefined;
  if (isStill) await store.remove(found.id);
  return isStill;
}

function notRemoved({ id }: Prunable): (error: unknown) => false {
  return (error) => {
    complain(`the session ${id} is not deleted: ${(error as Error).message}`);
    return false;
  };
}

function summary(pruned: readonly { readonly each: Prunable }[], isDry: boolean): string {
  const head = `${isDry ? 'would delete' : 'deleted'} ${pruned.length} session${pruned.length === 1 ? '' : 's'}`;
  return [
    head,
    ...pruned.map(({ each }) =>
      each instanceof DamagedRecord
        ? `  ${each.id}\t-\tdamaged`
        : `  ${each.id}\t${each.name ?? '-'}\t${each.closedAt}`,
    ),
  ].join('\n');
}
