import type { TokenCount, UsageDimension, UsageRow, UsageSum } from '@turnwire/protocol';
import type { TurnUsage } from './usage-record.ts';

/** The sum of the turns of one group and one currency, as databases return it. */
export interface CurrencySum {
  readonly key: string | null;
  /** Null: the cost of these turns is unknown. */
  readonly currency: string | null;
  readonly turns: number;
  readonly milliseconds: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
  readonly turnsWithoutTokens: number;
  readonly cost: number;
}

/** The sum of no turns. */
export const noUsage: UsageSum = {
  turns: 0,
  milliseconds: 0,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  turnsWithoutTokens: 0,
  costs: {},
  turnsWithoutCost: 0,
};

/** Joins the sums of the currencies of each group, and orders the groups. */
export function usageRows(sums: readonly CurrencySum[], by: UsageDimension | undefined): readonly UsageRow[] {
  const rows = new Map<string | null, UsageRow>();
  for (const sum of sums) rows.set(sum.key, added(rows.get(sum.key) ?? { key: sum.key, ...noUsage }, sum));
  const cost = ({ costs }: UsageSum): number => Object.values(costs).reduce((all, each) => all + each, 0);
  const order = (one: UsageRow, other: UsageRow): number =>
    by === 'day'
      ? (other.key ?? '').localeCompare(one.key ?? '')
      : cost(other) - cost(one) || other.tokens.total - one.tokens.total || other.turns - one.turns;
  return [...rows.values()].toSorted(order);
}

function added(row: UsageRow, sum: CurrencySum): UsageRow {
  const { tokens, costs } = row;
  return {
    key: row.key,
    turns: row.turns + sum.turns,
    milliseconds: row.milliseconds + sum.milliseconds,
    tokens: plusTokens(tokens, sum),
    turnsWithoutTokens: row.turnsWithoutTokens + sum.turnsWithoutTokens,
    // Sums of fractions have digits beyond the price.
    costs:
      sum.currency === null
        ? costs
        : { ...costs, [sum.currency]: Number(((costs[sum.currency] ?? 0) + sum.cost).toFixed(9)) },
    turnsWithoutCost: row.turnsWithoutCost + (sum.currency === null ? sum.turns : 0),
  };
}

/** Adds a turn to a sum, or takes it out. @param times 1 or −1 */
export function withTurn(sum: UsageSum, { milliseconds, tokens, cost }: TurnUsage, times: 1 | -1): UsageSum {
  const { costs } = sum;
  return {
    turns: sum.turns + times,
    milliseconds: sum.milliseconds + times * milliseconds,
    tokens: tokens ? plusTokens(sum.tokens, tokens, times) : sum.tokens,
    turnsWithoutTokens: sum.turnsWithoutTokens + (tokens ? 0 : times),
    costs: cost ? { ...costs, [cost.currency]: (costs[cost.currency] ?? 0) + times * cost.amount } : costs,
    turnsWithoutCost: sum.turnsWithoutCost + (cost ? 0 : times),
  };
}

/** Adds tokens, or takes them out. @param times 1 or −1 */
export function plusTokens(one: TokenCount, other: TokenCount, times: 1 | -1 = 1): TokenCount {
  return {
    input: one.input + times * other.input,
    output: one.output + times * other.output,
    cacheRead: one.cacheRead + times * other.cacheRead,
    cacheWrite: one.cacheWrite + times * other.cacheWrite,
    total: one.total + times * other.total,
  };
}
