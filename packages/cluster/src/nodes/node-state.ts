import type { AwayNodes } from './away-nodes.ts';

/** What a node does at the moment. */
export interface NodeFigures {
  /** Connected clients, those of other nodes too. */
  readonly clients: number;
  /** Sessions that are open. */
  readonly sessions: number;
  /** Those of them that have an agent. */
  readonly awake: number;
  /** Those in which a turn runs or waits. */
  readonly working: number;
  /** It is about to end, and is given no more sessions. */
  readonly isDraining: boolean;
}

/** A node, as the others see it. */
export interface NodeState extends NodeFigures {
  /** No other run of a node has had it, or will. */
  readonly number: string;
  /** Where other nodes reach it: `http://10.0.0.7:8137`. Null: nowhere. */
  readonly address: string | null;
  readonly agents: readonly string[];
  /** The folders in which its sessions may work. */
  readonly roots: readonly string[];
  /** Milliseconds since 1970, by the clock of the database. */
  readonly startedAt: number;
}

/** Who has a session. */
export type SessionOwner = 'here' | 'unknown' | NodeState;

/** Which node has a session, and which one may begin one. */
export interface SessionPlaces {
  /** For how long a session may have no node after one was killed, in milliseconds. */
  readonly takeover: number;
  /** Those that could not be reached. */
  readonly away: AwayNodes;
  /** Whether the node was there at the last renewal of the lease. */
  isThere(number: string): boolean;
  ownerOf(session: { readonly tenant: string; readonly id: string }): Promise<SessionOwner>;
  leastBusy(wanted: { readonly agent: string; readonly cwd: string }): NodeState | undefined;
}
