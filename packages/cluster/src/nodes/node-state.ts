import type { UnreachableNodes } from './unreachable-nodes.ts';

/** The current load of a node. */
export interface NodeFigures {
  /** Connected clients, including those of other nodes. */
  readonly clients: number;
  /** Open sessions. */
  readonly sessions: number;
  /** Open sessions with an agent. */
  readonly awake: number;
  /** Sessions with a running or queued turn. */
  readonly working: number;
  /** The node is shutting down, and takes no more sessions. */
  readonly isDraining: boolean;
}

/** A node, as the others see it. */
export interface NodeState extends NodeFigures {
  /** Unique among all runs of all nodes. */
  readonly number: string;
  /** The address at which other nodes reach it: `http://10.0.0.7:8137`. Null: not reachable. */
  readonly address: string | null;
  readonly agents: readonly string[];
  /** The folders in which its sessions may work. */
  readonly roots: readonly string[];
  /** Milliseconds since 1970, by the clock of the database. */
  readonly startedAt: number;
}

/** The owner of a session. */
export type SessionOwner = 'here' | 'unknown' | NodeState;

/** Finds the node of a session, and the best node for a new one. */
export interface SessionLocator {
  /** How long a session may have no node after its node was killed, in milliseconds. */
  readonly takeover: number;
  /** Nodes that could not be reached. */
  readonly unreachable: UnreachableNodes;
  /** Whether the node existed at the last renewal of the lease. */
  isThere(number: string): boolean;
  /** Removes a node that refuses connections, if it has also missed a renewal of its lease. Resolves to whether it was removed. */
  removeKilled(number: string): Promise<boolean>;
  ownerOf(session: { readonly tenant: string; readonly id: string }): Promise<SessionOwner>;
  leastBusy(wanted: { readonly agent: string; readonly cwd: string }): NodeState | undefined;
}
