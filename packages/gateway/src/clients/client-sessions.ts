import type { UsageRow } from '@turnwire/protocol';
import type { FoundSession, NewSession, Session, SessionRecord, UsageQuery, WarmAgents } from '@turnwire/runtime';
import type { SessionReviewParts } from '@turnwire/runtime/review';
import type { Principal } from '../auth/principal.ts';

/** Options of a new session. */
export type WantedSession = Omit<NewSession, 'tenant' | 'agent'>;

/** A page of the list of a client's sessions. */
export interface ListedSessions {
  readonly sessions: readonly SessionRecord[];
  readonly next?: string;
}

/** Filters the list of sessions by folder; `after` is the cursor of the previous page. */
export interface ListQuery {
  readonly cwd?: string | undefined;
  readonly after?: string | undefined;
}

/** The texts to find. `limit`: the maximum number of sessions. */
export interface SearchQuery {
  readonly text: string;
  readonly limit: number;
}

/** The target of a move. */
interface MoveOrder {
  /** The gateway, by its number or address. */
  readonly to: string;
  /** Milliseconds to wait for the end of the running turn. */
  readonly within: number;
}

/** A client's principal and agent. */
export interface SessionsOwner {
  readonly principal: Principal;
  /** The name of the agent. */
  readonly agent: string;
  /** Agents without a session, which report the capabilities of this kind of agent. */
  readonly warm: WarmAgents;
}

/** The sessions of a gateway, for its client connections. */
export interface ClientSessions {
  /** A new session with the defaults of the gateway. Rejects with the ProtocolError to answer with if the client may not begin it. */
  admitted(wanted: WantedSession, owner: SessionsOwner): Promise<WantedSession>;
  /** Begins a session that was admitted. */
  create(wanted: WantedSession, owner: SessionsOwner): Promise<Session>;
  /** The session with an id. Rejects with `resourceNotFound` if it is unknown or belongs to another tenant. */
  find(id: string, owner: SessionsOwner): Promise<Session>;
  /** The place that contains a folder. */
  placeOf(cwd: string): SessionReviewParts['place'];
  list(query: ListQuery, owner: SessionsOwner): Promise<ListedSessions>;
  /** Finds the sessions that `list` returns by their texts. */
  search(query: SearchQuery, owner: SessionsOwner): Promise<readonly FoundSession<SessionRecord>[]>;
  delete(id: string, owner: SessionsOwner): Promise<void>;
  /** Adds up the usage of the owner's tenant. */
  usage(query: Pick<UsageQuery, 'by' | 'since'>, owner: SessionsOwner): Promise<readonly UsageRow[]>;
  /** Moves an open session to another gateway. Absent: sessions stay here. */
  readonly move?: ((id: string, how: MoveOrder, owner: SessionsOwner) => Promise<void>) | undefined;
  /** The current activity of an open session. */
  activityOf(id: string): Session['activity'];
}
