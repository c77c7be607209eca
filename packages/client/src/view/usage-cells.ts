import type { UsageRow, UsageSum } from '@turnwire/protocol';
import { duration } from './times.ts';

/** A row of a usage table, in words. An unknown number is `unknown`. */
export interface UsageCells {
  readonly key: string;
  readonly turns: string;
  readonly time: string;
  readonly tokens: string;
  readonly cost: string;
}

/** The words of a row. */
export function usageCells(row: UsageRow): UsageCells {
  const { key, turns, milliseconds, tokens, turnsWithoutTokens, turnsWithoutCost } = row;
  return {
    key: key ?? 'unknown',
    turns: counted(turns),
    time: duration(milliseconds),
    tokens: withUnknown(counted(tokens.total), { unknown: turnsWithoutTokens, turns }),
    cost: withUnknown(costText(row), { unknown: turnsWithoutCost, turns }),
  };
}

/** The sum of all rows. */
export function usageTotal(rows: readonly UsageRow[]): UsageRow {
  const nothing: UsageRow = {
    ...{ key: null, turns: 0, milliseconds: 0, turnsWithoutTokens: 0, turnsWithoutCost: 0, costs: {} },
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  return rows.reduce((sum, row) => {
    const costs = { ...sum.costs };
    for (const [currency, amount] of Object.entries(row.costs))
      costs[currency] = Number(((costs[currency] ?? 0) + amount).toFixed(9));
    return {
      key: null,
      turns: sum.turns + row.turns,
      milliseconds: sum.milliseconds + row.milliseconds,
      tokens: {
        input: sum.tokens.input + row.tokens.input,
        output: sum.tokens.output + row.tokens.output,
        cacheRead: sum.tokens.cacheRead + row.tokens.cacheRead,
        cacheWrite: sum.tokens.cacheWrite + row.tokens.cacheWrite,
        total: sum.tokens.total + row.tokens.total,
      },
      turnsWithoutTokens: sum.turnsWithoutTokens + row.turnsWithoutTokens,
      costs,
      turnsWithoutCost: sum.turnsWithoutCost + row.turnsWithoutCost,
    };
  }, nothing);
}

/** The known cost: `0.31 USD`, or `0.31 USD + 2 credits`. */
function costText({ costs }: UsageSum): string {
  const amounts = Object.entries(costs).map(([currency, amount]) => `${amountText(amount)} ${currency}`);
  return amounts.length === 0 ? '0' : amounts.join(' + ');
}

/** Two digits after the point, more for less than a cent. */
function amountText(amount: number): string {
  return amount === 0 || amount >= 0.01 ? amount.toFixed(2) : String(Number(amount.toPrecision(2)));
}

function withUnknown(text: string, { unknown, turns }: { readonly unknown: number; readonly turns: number }): string {
  if (unknown === 0) return text;
  if (unknown === turns) return 'unknown';
  return `${text} + unknown (${unknown === 1 ? '1 turn' : `${counted(unknown)} turns`})`;
}

/** 1,234,567. `toLocaleString` would load its tables of languages. */
function counted(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
