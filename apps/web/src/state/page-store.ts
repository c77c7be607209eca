import type { WantedFork } from '@turnwire/client/conversation';
import {
  fetchServerFacts,
  logInWithLink,
  logInWithTicket,
  NotLoggedIn,
  type ServerFacts,
} from '../server/server-facts.ts';
import { AgentLink } from './agent-link.ts';
import { gatewayMeta } from './gateway-meta.ts';
import type { SessionStore } from './session-store.ts';
import { Store } from './store.ts';

/** A session in the sidebar. */
export interface ListedSession {
  readonly agent: string;
  readonly id: string;
  readonly title: string;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly state: 'working' | 'asking' | undefined;
}

/** All that is shown beside a session. */
export interface PageState {
  readonly phase: 'starting' | 'logged-out' | 'failed' | 'ready';
  readonly failure?: string;
  readonly server: ServerFacts;
  readonly sessions: readonly ListedSession[];
  readonly current?: SessionStore | undefined;
}

/** How long after a change the list of sessions is fetched, in milliseconds: changes come together. */
const listDelay = 300;
/** How many sessions of an agent are listed at most. */
const mostSessions = 500;

/** What this window is connected to and shows. */
export class PageStore {
  readonly state: Store<PageState> = new Store<PageState>({
    phase: 'starting',
    server: { agents: [], roots: [], scope: 'observe' },
    sessions: [],
  });
  readonly #links = new Map<string, AgentLink>();
  #listTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    addEventListener('hashchange', () => this.#showAddressed());
    addEventListener('online', () => this.#hurry());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#hurry();
    });
  }

  /** Logs in with the ticket in the address, if there is one, and connects. */
  async start(): Promise<void> {
    try {
      await logInWithTicket();
      await logInWithLink();
      const server = await fetchServerFacts();
      for (const name of server.agents)
        if (!this.#links.has(name)) this.#links.set(name, new AgentLink(name, () => this.#listSoon()));
      this.state.change({ phase: 'ready', server });
      this.#hurry();
      this.#showAddressed();
    } catch (error) {
      const isLoggedOut = error instanceof NotLoggedIn;
      this.state.change({ phase: isLoggedOut ? 'logged-out' : 'failed', failure: (error as Error).message });
    }
  }

  link(agent: string): AgentLink | undefined {
    return this.#links.get(agent);
  }

  /** Shows a new session. */
  begin(agent: string, cwd: string): void {
    const link = this.#links.get(agent);
    if (!link) return;
    this.#show(link.open({ cwd }));
  }

  /** Shows a stored session. */
  open({ agent, id, cwd }: Pick<ListedSession, 'agent' | 'id' | 'cwd'>): void {
    const { current } = this.state.current;
    if (current?.id === id) return;
    const link = this.#links.get(agent);
    if (link) this.#show(link.open({ id, cwd }));
  }

  /**
   * Shows a new session that begins with the history of another, which stays as it is.
   * @param draft what the user may want to write anew
   */
  async fork(session: SessionStore, wanted: WantedFork, draft = ''): Promise<void> {
    const fork = await this.#links.get(session.agentName)?.fork(session, wanted);
    if (!fork) return;
    fork.draft = draft;
    this.#show(fork);
  }

  /** Shows no session. */
  leave(): void {
    this.#show(undefined);
  }

  /** Gives a session another title, where its server can. Rejects where it cannot. */
  async rename({ agentName, id }: SessionStore, title: string): Promise<void> {
    await this.#links.get(agentName)?.agent?.peer.raw.request('_turnwire/rename', { sessionId: id, title });
    this.#listSoon();
  }

  async delete({ agent, id }: Pick<ListedSession, 'agent' | 'id'>): Promise<void> {
    if (this.state.current.current?.id === id) this.leave();
    const link = this.#links.get(agent);
    await link?.agent?.deleteSession?.(id);
    link?.forget(id);
    this.#listSoon();
  }

  #show(next: SessionStore | undefined): void {
    this.state.change({ current: next });
    const unwatch = next?.state.subscribe(() => {
      if (this.state.current.current !== next || next.id !== undefined) unwatch?.();
      if (this.state.current.current === next) address(next);
    });
    address(next);
  }

  /** Shows the session that the address names. */
  #showAddressed(): void {
    const [agent, id] = location.hash.slice(1).split('/').filter(Boolean).map(decoded);
    if (agent === undefined || id === undefined || this.state.current.phase !== 'ready') return;
    const cwd = this.state.current.sessions.find((session) => session.id === id)?.cwd;
    this.open({ agent, id, cwd: cwd ?? this.state.current.server.roots[0] ?? '/' });
  }

  #hurry(): void {
    for (const link of this.#links.values()) link.hurry();
  }

  #listSoon(): void {
    clearTimeout(this.#listTimer);
    this.#listTimer = setTimeout(() => void this.#list(), listDelay);
  }

  async #list(): Promise<void> {
    const lists = await Promise.all([...this.#links.values()].map((link) => listOf(link).catch(() => [])));
    // A gateway lists the sessions of all its agents to the clients of each.
    const sessions = [...new Map(lists.flat().map((session) => [session.id, session])).values()];
    this.state.change({ sessions: sessions.toSorted((one, other) => other.updatedAt - one.updatedAt) });
  }
}

/** A part of an address; undefined if it is none. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

async function listOf({ name, agent: connected }: AgentLink): Promise<readonly ListedSession[]> {
  const listed: ListedSession[] = [];
  if (!connected?.listSessions) return listed;
  for await (const { sessionId, title, cwd, updatedAt, _meta } of connected.listSessions()) {
    const { agent = name, state } = gatewayMeta(_meta);
    listed.push({
      agent,
      id: sessionId,
      title: title ?? 'Untitled session',
      cwd,
      updatedAt: Date.parse(updatedAt ?? '') || 0,
      state,
    });
    if (listed.length >= mostSessions) break;
  }
  return listed;
}

function address(session: SessionStore | undefined): void {
  const place = session?.id === undefined ? '' : `#${encodeURIComponent(session.agentName)}/${session.id}`;
  if (location.hash !== place) history.replaceState(null, '', `${location.pathname}${place}`);
}
