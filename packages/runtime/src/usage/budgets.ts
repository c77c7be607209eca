import { limitNames, type TokenCount, type UsageLimits, type UsageSum } from '@turnwire/protocol';

type LimitName = (typeof limitNames)[number];

/** Limits of the usage of a session, or of all sessions of a tenant in one day. */
export interface Budget extends UsageLimits {
  readonly per: 'session' | 'day';
  /** Users may not exceed or raise it: the operator of a server has set it. */
  readonly isFixed?: boolean | undefined;
}

/** The price of a million tokens of a model. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Default: as `input`. */
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** How the turns of a session are counted and limited. */
export interface Spending {
  /** Default: no limits. */
  readonly budgets?: readonly Budget[] | undefined;
  /** The currency of limits and prices. Default: `USD`. */
  readonly currency?: string | undefined;
  /** By the agent's id of the model: for agents that report tokens without a cost. */
  readonly prices?: Readonly<Record<string, TokenPrice>> | undefined;
}

/** A reached limit. */
export interface ReachedLimit {
  readonly budget: Budget;
  readonly limit: LimitName;
  readonly most: number;
  readonly used: number;
}

/** The usage that budgets compare: of the session and of the day. */
export type CountedUsage = Readonly<Record<Budget['per'], UsageSum>>;

/**
 * Finds the first limit that is reached.
 * @param isRunning a turn runs, which may use a limit up to the end. Otherwise a prompt is about to be sent, which needs something that is left
 * @param hasBegun the turn is counted already, so its next prompt needs no turn that is left
 */
export function reachedLimit(
  budgets: readonly Budget[],
  counted: CountedUsage,
  {
    currency,
    isRunning,
    hasBegun,
  }: { readonly currency: string; readonly isRunning: boolean; readonly hasBegun: boolean },
): ReachedLimit | undefined {
  for (const budget of budgets)
    for (const limit of limitNames) {
      const most = budget[limit];
      if (most === undefined) continue;
      const used = usedOf(counted[budget.per], limit, currency);
      const mayUseAll = isRunning || (hasBegun && limit === 'turns');
      if (used > most || (used === most && !mayUseAll)) return { budget, limit, most, used };
    }
  return undefined;
}

/** The milliseconds that a running turn has left. */
export function timeLeft(budgets: readonly Budget[], counted: CountedUsage): number {
  const left = budgets.map(({ per, minutes = Infinity }) => minutes * 60_000 - counted[per].milliseconds);
  return Math.min(Infinity, ...left);
}

/** A sentence about a reached limit: "the session has cost 2.1 USD, more than the limit of 2". */
export function reachedText({ budget: { per, isFixed }, limit, most, used }: ReachedLimit, currency: string): string {
  const who = per === 'session' ? 'the session has' : 'the sessions of today have';
  const what: Readonly<Record<LimitName, string>> = {
    cost: `cost ${rounded(used)} ${currency}`,
    tokens: `used ${rounded(used)} tokens`,
    minutes: `worked for ${rounded(used)} minutes`,
    turns: used === 1 ? 'had 1 turn' : `had ${rounded(used)} turns`,
  };
  const whose = isFixed ? 'the limit of this server' : 'the limit';
  const than = isFixed ? `${whose}, ${rounded(most)}` : `${whose} of ${rounded(most)}`;
  return `${who} ${what[limit]}, ${used > most ? `more than ${than}` : `which is ${whose}`}`;
}

/** The cost of tokens. */
export function priceOf({ input, output, cacheRead, cacheWrite }: TokenCount, price: TokenPrice): number {
  const read = cacheRead * (price.cacheRead ?? price.input);
  const written = cacheWrite * (price.cacheWrite ?? price.input);
  return (input * price.input + output * price.output + read + written) / 1_000_000;
}

/** The tokens of `usage` in the answer to a prompt; undefined if it has none. Agents differ in whether input includes tokens of a cache, and output thoughts. */
export function tokensOf(usage: unknown): TokenCount | undefined {
  const { totalTokens, inputTokens, outputTokens, thoughtTokens, cachedReadTokens, cachedWriteTokens } = (usage ??
    {}) as Readonly<Record<string, unknown>>;
  if (![totalTokens, inputTokens, outputTokens].some((each) => typeof each === 'number')) return undefined;
  const [read, written, thoughts] = [count(cachedReadTokens), count(cachedWriteTokens), count(thoughtTokens)];
  const [asked, said] = [count(inputTokens), count(outputTokens)];
  const total = count(totalTokens) || asked + said + thoughts + read + written;
  const isApart = asked + said + read + written <= total;
  const input = isApart ? asked : Math.max(0, asked - read - written);
  const output = said + Math.min(thoughts, Math.max(0, total - input - read - written - said));
  return { input, output, cacheRead: read, cacheWrite: written, total };
}

function usedOf({ costs, tokens, milliseconds, turns }: UsageSum, limit: LimitName, currency: string): number {
  if (limit === 'cost') return costs[currency] ?? 0;
  if (limit === 'tokens') return tokens.total;
  return limit === 'minutes' ? milliseconds / 60_000 : turns;
}

// Sums of fractions have digits beyond the price.
function rounded(value: number): string {
  return String(Number(value.toFixed(6)));
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
