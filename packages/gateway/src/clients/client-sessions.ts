import type { NewSession, Session, SessionRecord, WarmAgents } from '@turnwire/runtime';
import type { Principal } from '../auth/principal.ts';

/** Options of a new session. */
export type WantedSession = Omit<NewSession, 'tenant' | 'agent'>;

/** A page of the sessions of a client. */
export interface ListedSessions {
  readonly sessions: readonly SessionRecord[];
  readonly next?: string;
}

/** Which sessions to list: of a folder, behind a page. */
export interface ListQuery {
  readonly cwd?: string | undefined;
  readonly after?: string | undefined;
}

/** How a session is given to another gateway. */
interface MoveOrder {
  /** The gateway, by its number or address. */
  readonly to: string;
  /** When its turn is over, or after so many milliseconds. */
  readonly within: number;
}

/** Whose sessions, and with which agent. */
export interface SessionsOwner {
  readonly principal: Principal;
  /** The name of the agent. */
  readonly agent: string;
  /** Agents without a session, which the gateway asks for their capabilities. */
  readonly spare: WarmAgents;
}

/** The sessions of a gateway, as connections use them. */
export interface ClientSessions {
  create(wanted: WantedSession, owner: SessionsOwner): Promise<Session>;
  /** The session with an id. Rejects with `resourceNotFound` for one that is unknown, or of another tenant. */
  find(id: string, owner: SessionsOwner): Promise<Session>;
  list(query: ListQuery, owner: SessionsOwner): Promise<ListedSessions>;
  delete(id: string, owner: SessionsOwner): Promise<void>;
  /** Gives an open session to another gateway. Absent: sessions stay here. */
  readonly move?: ((id: string, how: MoveOrder, owner: SessionsOwner) => Promise<void>) | undefined;
  /** What an open session does. */
  activityOf(id: string): Session['activity'];
}
