import { FileLock, takeLock } from '@turnwire/machine';
import { agentChoice } from '../../driving/agent-command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { NamedSessions } from '../../store/named-sessions.ts';
import { agentKey } from '../../store/session-record.ts';
import { report } from '../report.ts';

/** The options of `sessions prune`. */
export interface PruneArguments {
  readonly dryRun?: true;
  /** Delete sessions that were closed before this time. */
  readonly before?: Date;
  /** Delete sessions that were closed at least this many days ago. */
  readonly olderThan?: number;
}

const day = 24 * 60 * 60 * 1000;

/** A session that may be deleted. */
interface Prunable {
  readonly id: string;
  readonly about: string;
}

/** Deletes closed sessions with their histories. Resolves with the exit code. */
export async function pruneSessions(args: PruneArguments, options: GlobalOptions): Promise<number> {
  await using sessions = new NamedSessions();
  const found = await closedOnes(sessions, args, options);
  const pruned: Prunable[] = [];
  for (const each of found)
    if (args.dryRun || (await removed(sessions, each).catch(notRemoved(each)))) pruned.push(each);
  const ids = pruned.map(({ id }) => id);
  report(options, { action: 'sessions_pruned', dryRun: args.dryRun === true, count: ids.length, ids }, () =>
    options.format === 'quiet' ? ids.join('\n') || undefined : summary(pruned, args.dryRun === true),
  );
  return exitCodes.ok;
}

async function closedOnes(
  sessions: NamedSessions,
  args: PruneArguments,
  options: GlobalOptions,
): Promise<readonly Prunable[]> {
  const choice = agentChoice(options);
  const limit = args.before?.getTime() ?? Date.now() - (args.olderThan ?? 0) * day;
  return (await sessions.list()).flatMap(({ id, agent, name, closedAt }) => {
    if (agentKey(agent) !== agentKey(choice) || closedAt === undefined || Date.parse(closedAt) > limit) return [];
    return [{ id, about: `${name ?? '-'}\t${closedAt}` }];
  });
}

/** Deletes a session if no process uses it and it is still closed. Resolves with false if it was not deleted. */
async function removed(sessions: NamedSessions, { id }: Prunable): Promise<boolean> {
  const lock = await takeLock(sessions.lockOf(id));
  if (!(lock instanceof FileLock)) {
    warn(`the session ${id} is not deleted: process ${lock.pid} is using it`);
    return false;
  }
  await using _lock = lock;
  const isStillClosed = (await sessions.findById(id))?.closedAt !== undefined;
  if (isStillClosed) await sessions.remove(id);
  return isStillClosed;
}

function notRemoved({ id }: Prunable): (error: unknown) => false {
  return (error) => {
    warn(`the session ${id} is not deleted: ${(error as Error).message}`);
    return false;
  };
}

function summary(pruned: readonly Prunable[], isDry: boolean): string {
  const head = `${isDry ? 'would delete' : 'deleted'} ${pruned.length} session${pruned.length === 1 ? '' : 's'}`;
  return [head, ...pruned.map(({ id, about }) => `  ${id}\t${about}`)].join('\n');
}
