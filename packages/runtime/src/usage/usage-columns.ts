import type { TurnUsage } from './usage-record.ts';

/** The columns of a table of turns, and their values. */
const columns: readonly (readonly [name: string, value: (turn: TurnUsage) => string | number | null])[] = [
  ['id', ({ id }) => id],
  ['tenant', ({ tenant }) => tenant],
  ['session', ({ session }) => session],
  ['agent', ({ agent }) => agent],
  ['model', ({ model }) => model],
  ['folder', ({ folder }) => folder],
  ['at', ({ at }) => at],
  ['day', ({ day }) => day],
  ['milliseconds', ({ milliseconds }) => milliseconds],
  ['input', ({ tokens }) => tokens?.input ?? null],
  ['output', ({ tokens }) => tokens?.output ?? null],
  ['cache_read', ({ tokens }) => tokens?.cacheRead ?? null],
  ['cache_write', ({ tokens }) => tokens?.cacheWrite ?? null],
  ['total', ({ tokens }) => tokens?.total ?? null],
  ['cost', ({ cost }) => cost?.amount ?? null],
  ['currency', ({ cost }) => cost?.currency ?? null],
  ['agent_session', ({ reported }) => reported?.agentSession ?? null],
  ['reported', ({ reported }) => reported?.amount ?? null],
];

/** The names of the columns, in the order of {@link usageValues}. */
export const usageColumns: readonly string[] = columns.map(([name]) => name);

/** The row of a turn. */
export function usageValues(turn: TurnUsage): readonly (string | number | null)[] {
  return columns.map(([, value]) => value(turn));
}
