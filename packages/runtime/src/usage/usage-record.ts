import type { TokenCount, UsageDimension, UsageRow } from '@turnwire/protocol';

/** An amount of money, or of a unit of a provider such as `credits`. */
export interface Amount {
  readonly amount: number;
  /** An ISO 4217 code such as `EUR`, or the unit. */
  readonly currency: string;
}

/** The usage of one turn. A later entry with the same id replaces it. */
export interface TurnUsage {
  /** Unique in the store. */
  readonly id: string;
  /** Who pays. */
  readonly tenant: string;
  readonly session: string;
  readonly agent: string;
  /** The agent's id of the model. Null: unknown. */
  readonly model: string | null;
  /** The folder of the session: an absolute path. */
  readonly folder: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The day on which it began, where the process ran: `2026-01-31`. */
  readonly day: string;
  readonly milliseconds: number;
  /** Null: unknown. */
  readonly tokens: TokenCount | null;
  /** Null: unknown. */
  readonly cost: Amount | null;
  /** The agent's id of its session, and the cost of all of it so far, if the agent reported it during the turn. */
  readonly reported: { readonly agentSession: string; readonly amount: number } | null;
}

/** Which turns to add up: those of one tenant. */
export interface UsageQuery {
  readonly tenant: string;
  readonly session?: string | undefined;
  /** The first day: `2026-01-31`. Default: the first recorded day. */
  readonly since?: string | undefined;
  /** Default: one sum of all. */
  readonly by?: UsageDimension | undefined;
}

/** The record of usage. It is part of each session store, and outlives the sessions. */
export interface UsageRecord {
  /** Stores an entry, in place of an earlier one of the same turn. */
  recordUsage(turn: TurnUsage): Promise<void>;
  /** Adds up turns. Days are ordered newest first, other groups by their cost, then by their tokens. */
  usage(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** Finds the last cost that an agent reported for one of its sessions. */
  lastReported(tenant: string, agentSession: string): Promise<number | undefined>;
}
