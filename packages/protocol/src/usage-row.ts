/** The tokens of a turn or of many. */
export interface TokenCount {
  /** Read by models, without those of a cache. */
  readonly input: number;
  /** Written by models. */
  readonly output: number;
  /** Read from a cache, and written to one. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** All of them, as the agent counts. */
  readonly total: number;
}

/** The ways to group turns. */
export const usageDimensions = ['agent', 'model', 'folder', 'day', 'session'] as const;

/** A way to group turns. */
export type UsageDimension = (typeof usageDimensions)[number];

/** The usage of some turns. */
export interface UsageSum {
  readonly turns: number;
  /** The time in which the turns ran. */
  readonly milliseconds: number;
  readonly tokens: TokenCount;
  /** The number of turns whose tokens are unknown. */
  readonly turnsWithoutTokens: number;
  /** By currency: an ISO 4217 code such as `EUR`, or a unit of a provider such as `credits`. */
  readonly costs: Readonly<Record<string, number>>;
  /** The number of turns whose cost is unknown. */
  readonly turnsWithoutCost: number;
}

/** The usage of a group of turns. */
export interface UsageRow extends UsageSum {
  /** The agent, model, folder, day (`2026-01-31`) or session. Null: unknown, or all turns. */
  readonly key: string | null;
}

/** Limits of usage. An absent one means no limit. */
export interface UsageLimits {
  /** The cost, in the currency of the limits. A running turn may exceed it until its agent reports its cost again. */
  readonly cost?: number | undefined;
  /** The tokens of all kinds. Most agents report them at the end of a turn. */
  readonly tokens?: number | undefined;
  /** The time in which turns run, in minutes. It includes the time in which the agent waits for an answer of the user. */
  readonly minutes?: number | undefined;
  /** The number of turns. */
  readonly turns?: number | undefined;
}

/** The names of the limits. */
export const limitNames = ['cost', 'tokens', 'minutes', 'turns'] as const;
