import type { SpareAgents } from './agents/spare-agents.ts';
import type { Principal } from './auth/principal.ts';
import type { ClientSessions, ListedSessions, ListQuery, MoveOrder, WantedSession } from './clients/client-sessions.ts';
import type { AgentFacts } from './session/agent-facts.ts';
import type { SessionHost } from './session/session-host.ts';

/** An agent that sessions may have. */
export interface NamedAgent {
  readonly name: string;
  readonly spare: SpareAgents;
}

/** Whose sessions, and with which agent. */
export interface SessionsOwner {
  readonly principal: Principal;
  readonly agent: NamedAgent;
}

/** The sessions of a gateway, for any owner. */
export interface AllSessions {
  create(wanted: WantedSession, owner: SessionsOwner): Promise<SessionHost>;
  find(id: string, owner: SessionsOwner): Promise<SessionHost>;
  list(query: ListQuery, owner: SessionsOwner): Promise<ListedSessions>;
  delete(id: string, owner: SessionsOwner): Promise<void>;
  /** Absent: sessions stay here. */
  readonly move?: (id: string, how: MoveOrder, owner: SessionsOwner) => Promise<void>;
  activityOf(id: string): SessionHost['activity'];
}

/** The sessions of one owner. Every connection has such an object, so that it holds nothing else. */
export class OwnSessions implements ClientSessions {
  declare readonly move?: NonNullable<ClientSessions['move']>;
  readonly #all: AllSessions;
  readonly #owner: SessionsOwner;

  constructor(all: AllSessions, owner: SessionsOwner) {
    this.#all = all;
    this.#owner = owner;
    const { move } = all;
    if (move) this.move = (id, how) => move(id, how, owner);
  }

  facts(): Promise<AgentFacts> {
    return this.#owner.agent.spare.facts();
  }

  authenticate(methodId: string): Promise<void> {
    return this.#owner.agent.spare.authenticate(methodId);
  }

  create(wanted: WantedSession): Promise<SessionHost> {
    return this.#all.create(wanted, this.#owner);
  }

  find(id: string): Promise<SessionHost> {
    return this.#all.find(id, this.#owner);
  }

  list(query: ListQuery): Promise<ListedSessions> {
    return this.#all.list(query, this.#owner);
  }

  delete(id: string): Promise<void> {
    return this.#all.delete(id, this.#owner);
  }

  activityOf(id: string): SessionHost['activity'] {
    return this.#all.activityOf(id);
  }
}
