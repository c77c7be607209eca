import type { McpServer } from '@turnwire/protocol';
import type { AgentFacts } from '../session/agent-facts.ts';
import type { SessionHost } from '../session/session-host.ts';
import type { SessionRecord } from '../store/session-store.ts';

/** What a new session is made of. */
export interface WantedSession {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The model it begins with, by the agent's id; it is refused if the agent offers no choice, or not this one. Default: the agent's. */
  readonly model?: string;
  /** The agent's id of a session of its own, which is gone on with: the agent replays it, or the session is refused. Default: a new one. */
  readonly agentSessionId?: string;
  /** Its agent is not started with it, but by the first prompt, or `_turnwire/restart`. */
  readonly startsLater?: true;
}

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
export interface MoveOrder {
  /** The gateway, by its number or address. */
  readonly to: string;
  /** When its turn is over, or after so many milliseconds. */
  readonly within: number;
}

/** What a connection needs of the gateway: the sessions of its principal, with one agent. */
export interface ClientSessions {
  /** What the agent says of itself, for `initialize`. */
  facts(): Promise<AgentFacts>;
  authenticate(methodId: string): Promise<void>;
  create(wanted: WantedSession): Promise<SessionHost>;
  /** The session with an id. Rejects with `resourceNotFound` for one that is unknown, or of somebody else. */
  find(id: string): Promise<SessionHost>;
  list(query: ListQuery): Promise<ListedSessions>;
  delete(id: string): Promise<void>;
  /** Gives an open session to another gateway. Absent: sessions stay here. */
  readonly move?: (id: string, how: MoveOrder) => Promise<void>;
  /** What an open session does. */
  activityOf(id: string): SessionHost['activity'];
}
