import type { TurnUsage } from './usage-record.ts';

/** The columns of a table of turns, in the order of {@link usageValues}. */
export const usageColumns = [
  'id',
  'tenant',
  'session',
  'agent',
  'model',
  'folder',
  'at',
  'day',
  'milliseconds',
  'input',
  'output',
  'cache_read',
  'cache_write',
  'total',
  'cost',
  'currency',
  'agent_session',
  'reported',
] as const;

type Row = Readonly<Record<(typeof usageColumns)[number], string | number | null>>;

/** The row of a turn. */
export function usageValues(turn: TurnUsage): readonly (string | number | null)[] {
  const { id, tenant, session, agent, model, folder, at, day, milliseconds, tokens, cost, reported } = turn;
  const row: Row = {
    ...{ id, tenant, session, agent, model, folder, at, day, milliseconds },
    ...tokenColumns(tokens),
    cost: cost?.amount ?? null,
    currency: cost?.currency ?? null,
    agent_session: reported?.agentSession ?? null,
    reported: reported?.amount ?? null,
  };
  return usageColumns.map((name) => row[name]);
}

function tokenColumns(
  tokens: TurnUsage['tokens'],
): Pick<Row, 'input' | 'output' | 'cache_read' | 'cache_write' | 'total'> {
  return {
    input: tokens?.input ?? null,
    output: tokens?.output ?? null,
    cache_read: tokens?.cacheRead ?? null,
    cache_write: tokens?.cacheWrite ?? null,
    total: tokens?.total ?? null,
  };
}
