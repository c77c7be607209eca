import type { UsageRow } from '@turnwire/protocol';
import type { TurnUsage, UsageQuery } from '@turnwire/runtime';
import { type CurrencySum, usageColumns, usageRows, usageValues } from '@turnwire/runtime/store';
import type { Database } from './database.ts';

const insert = `INSERT INTO turnwire_usage (${usageColumns.join(', ')})
  VALUES (${usageColumns.map((_, index) => `$${index + 1}`).join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${usageColumns.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}`;

const groups: Readonly<Record<string, string>> = {
  agent: 'agent',
  model: 'model',
  folder: 'folder',
  day: 'day',
  session: 'session',
};

export async function recordUsage(database: Database, turn: TurnUsage): Promise<void> {
  await database.query(insert, usageValues(turn));
}

export async function usage(database: Database, query: UsageQuery): Promise<readonly UsageRow[]> {
  const { tenant, session = null, since = null, by } = query;
  type Row = { readonly [Key in keyof CurrencySum]: string | null };
  const rows = await database.query<Row>(
    `SELECT ${groups[by ?? ''] ?? 'NULL'} AS key, currency, count(*) AS turns, sum(milliseconds) AS milliseconds,
      coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output, coalesce(sum(cache_read), 0) AS "cacheRead",
      coalesce(sum(cache_write), 0) AS "cacheWrite", coalesce(sum(total), 0) AS total,
      count(*) - count(total) AS "turnsWithoutTokens", coalesce(sum(cost), 0) AS cost
      FROM turnwire_usage WHERE tenant = $1 AND ($2::text IS NULL OR session = $2) AND ($3::text IS NULL OR day >= $3)
      GROUP BY 1, 2`,
    [tenant, session, since],
  );
  // The driver returns eight-byte numbers as strings.
  const sums = rows.map(({ key, currency, ...counts }): CurrencySum => {
    const numbers = Object.entries(counts).map(([name, value]) => [name, Number(value)]);
    return { key, currency, ...(Object.fromEntries(numbers) as Omit<CurrencySum, 'key' | 'currency'>) };
  });
  return usageRows(sums, by);
}

export async function lastReported(
  database: Database,
  tenant: string,
  agentSession: string,
): Promise<number | undefined> {
  const [row] = await database.query<{ readonly reported: number }>(
    `SELECT reported FROM turnwire_usage WHERE tenant = $1 AND agent_session = $2 AND reported IS NOT NULL
      ORDER BY at DESC LIMIT 1`,
    [tenant, agentSession],
  );
  return row?.reported;
}
