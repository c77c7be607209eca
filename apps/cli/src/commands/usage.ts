import { usageCells, usageTotal } from '@turnwire/client/view';
import { localDay } from '@turnwire/machine';
import type { UsageDimension, UsageRow } from '@turnwire/protocol';
import { sqliteStore } from '@turnwire/runtime';
import { exitCodes } from '../exit-codes.ts';
import { warn } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printRows } from '../output/print-rows.ts';
import { localTenant } from '../store/named-session.ts';
import { sessionsDatabase } from '../store/sessions-database.ts';
import { stdout } from '../terminal/output.ts';

/** The options of `usage`. */
export interface UsageArguments {
  readonly by: UsageDimension;
  /** The first day as a date, `2026-01-31`, or a number of days until now. Default: the first recorded one. */
  readonly since?: string | number;
  readonly tenant?: string;
}

/** Prints the usage of the recorded turns. Resolves with the exit code. */
export async function printUsage(
  { by, since: asked, tenant = localTenant }: UsageArguments,
  options: GlobalOptions,
): Promise<number> {
  const since = typeof asked === 'number' ? localDay(new Date(), asked - 1) : asked;
  const store = sqliteStore({ path: sessionsDatabase(), ownThread: false });
  let rows: readonly UsageRow[];
  try {
    rows = await store.usage({ tenant, since, by });
  } finally {
    await store.close();
  }
  const total = usageTotal(rows);
  if (options.format === 'json') {
    stdout.printJson(JSON.stringify({ by, since: since ?? null, rows, total }));
    return exitCodes.ok;
  }
  if (rows.length === 0) {
    warn(since === undefined ? 'no turns are recorded yet' : `no turns are recorded since ${since}`);
    return exitCodes.ok;
  }
  const cells = rows.map((row) => Object.values(usageCells(row)));
  const isSummed = options.format === 'text' && rows.length > 1;
  const sum = isSummed ? [Object.values(usageCells({ ...total, key: 'total' }))] : [];
  printRows({ head: [by, 'turns', 'time', 'tokens', 'cost'], rows: [...cells, ...sum], cut: [0] });
  return exitCodes.ok;
}
