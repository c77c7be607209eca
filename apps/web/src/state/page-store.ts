import type { WantedFork } from '@turnwire/client/extensions';
import { askGateway } from '@turnwire/client/gateway';
import {
  type ContentBlock,
  turnwireMeta,
  type FoundSession,
  type TextMatch,
  type UsageDimension,
  type UsageRow,
} from '@turnwire/protocol';
import { isLoginAddress, loginToken, logInByAddress, logOut, onLoginChange } from '../server/login.ts';
import { fetchServerFacts, NotLoggedIn, type ServerFacts } from '../server/server-facts.ts';
import { AgentLink } from './agent-link.ts';
import { isDialogEntry } from './dialog-history.ts';
import { mayShowNotices, noticeListed } from './notices.ts';
import { typedIn } from './prompt-text.ts';
import type { ListedSession } from './listed-session.ts';
import { SeenSessions } from './seen-sessions.ts';
import type { SessionStore } from './session-store.ts';
import { Store } from './store.ts';

/** The options of a new session. */
export interface WantedSession {
  readonly agent: string;
  readonly cwd: string;
  /** Empty for a session that waits for its first prompt. */
  readonly prompt: readonly ContentBlock[];
}

/** The state of the page, except for its session. */
export interface PageState {
  readonly phase: 'starting' | 'logged-out' | 'failed' | 'ready';
  readonly failure?: string;
  readonly server: ServerFacts;
  readonly sessions: readonly ListedSession[];
  /** Whether the list has been loaded. */
  readonly isListed: boolean;
  readonly current?: SessionStore | undefined;
  /** The agent that the user chose for the next session. Default: the first one. */
  readonly nextAgent?: string | undefined;
}

/** The delay between a change and the refresh of the session list, in milliseconds, so that several changes share one refresh. */
const listDelay = 300;
/** The interval of further refreshes, in milliseconds, because other windows and programs create sessions and answer questions. */
const listInterval = 5_000;
/** The maximum number of listed sessions per agent. */
const mostSessions = 500;

/** The maximum length of a search, in UTF-16 units. */
const longestSearch = 1_000;

/** The connections of this window, and the session that it shows. */
export class PageStore {
  readonly state: Store<PageState> = new Store<PageState>({
    phase: 'starting',
    server: { agents: [], roots: [], scope: 'observe' },
    sessions: [],
    isListed: false,
  });
  readonly #links = new Map<string, AgentLink>();
  readonly #seen = new SeenSessions();
  /** The sessions that were shown since the last list. */
  readonly #shown = new Set<string>();
  #listTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    addEventListener('hashchange', () => (isLoginAddress() ? void this.start() : this.#showAddressed()));
    addEventListener('online', () => this.#reconnectNow());
    addEventListener('offline', () => {
      for (const link of this.#links.values()) link.networkLost();
    });
    onLoginChange(() => {
      if (loginToken() === undefined) location.reload();
      else if (this.state.current.phase !== 'ready') void this.start();
    });
    setInterval(() => {
      if (!document.hidden || mayShowNotices()) this.#listSoon();
    }, listInterval);
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#reconnectNow();
    });
  }

  /** Logs in with the ticket or token in the address, if any, and connects. The shown session stays. */
  async start(): Promise<void> {
    try {
      const hasLoggedIn = await logInByAddress();
      // The existing connections belong to another user.
      if (hasLoggedIn && this.#links.size > 0) return location.reload();
      const server = await fetchServerFacts();
      this.state.change({ phase: 'ready', server });
      // Any agent lists the sessions of all. The other agents start when the user chooses them.
      if (this.#links.size === 0) this.link(server.agents[0] ?? '');
      this.#reconnectNow();
      this.#showAddressed();
    } catch (error) {
      const isLoggedOut = error instanceof NotLoggedIn;
      this.state.change({ phase: isLoggedOut ? 'logged-out' : 'failed', failure: (error as Error).message });
    }
  }

  /** The connection to an agent of the server. Creating it starts the agent. */
  link(agent: string): AgentLink | undefined {
    const known = this.#links.get(agent);
    if (known || !this.state.current.server.agents.includes(agent)) return known;
    const link = this.#linkTo(agent);
    this.#links.set(agent, link);
    return link;
  }

  /** Shows a new session, and sends its first prompt as soon as it exists. */
  begin({ agent, cwd, prompt }: WantedSession): void {
    const session = this.link(agent)?.open({ cwd });
    if (!session) return;
    if (prompt.length > 0) session.prompts.add(prompt);
    this.#show(session);
  }

  /** Logs out this page and all others of this browser. */
  async logOut(): Promise<void> {
    await logOut();
    location.reload();
  }

  /**
   * Shows a stored session.
   * @param sought scrolls to this text
   */
  open({ agent, id, cwd }: Pick<ListedSession, 'agent' | 'id' | 'cwd'>, sought?: TextMatch): void {
    const { current } = this.state.current;
    const session = current?.id === id ? current : this.link(agent)?.open({ id, cwd });
    if (session && sought) session.seek(sought);
    if (session && session !== current) this.#show(session);
  }

  /**
   * Shows a fork of a session, which itself stays unchanged.
   * @param prompt the draft of the fork
   */
  async fork(session: SessionStore, wanted: WantedFork, prompt: readonly ContentBlock[] = []): Promise<void> {
    const fork = await this.#links.get(session.agentName)?.fork(session, wanted);
    if (!fork) return;
    fork.draft = typedIn(prompt);
    fork.attached = prompt;
    this.#show(fork);
  }

  /** Shows the screen for a new session, optionally with an agent. */
  leave(agent?: string): void {
    this.state.change({ nextAgent: agent });
    this.#show(undefined);
  }

  /** Changes the title of a session. Rejects if its server does not support that. */
  async rename({ remote }: SessionStore, title: string): Promise<void> {
    await remote.ask('_turnwire/rename', { title });
    this.#listSoon();
  }

  /** Reads the usage of this user. Rejects while no agent is connected. */
  async usage(query: { readonly by: UsageDimension; readonly days?: number }): Promise<readonly UsageRow[]> {
    const agent = [...this.#links.values()].find((each) => each.agent)?.agent;
    if (!agent) throw new Error('The server is not connected');
    return (await askGateway(agent, '_turnwire/usage', query)).rows;
  }

  /** Finds sessions by their texts. Rejects while no agent is connected. */
  async search(text: string): Promise<readonly FoundSession[]> {
    const agent = [...this.#links.values()].find((each) => each.agent)?.agent;
    if (!agent) throw new Error('The server is not connected');
    return (await askGateway(agent, '_turnwire/search', { text: text.slice(0, longestSearch) })).sessions;
  }

  async delete({ agent, id }: Pick<ListedSession, 'agent' | 'id'>): Promise<void> {
    if (this.state.current.current?.id === id) this.leave();
    const connected = [...this.#links.values()].find((each) => each.agent);
    const link = this.#links.get(agent);
    await (link?.agent ?? connected?.agent)?.deleteSession?.(id);
    link?.forget(id);
    this.#listSoon();
  }

  #linkTo(name: string): AgentLink {
    const link = new AgentLink(name, () => this.#listSoon());
    link.state.subscribe(() => {
      const { current } = link.state;
      if (current.name === 'logged-out') this.state.change({ phase: 'logged-out' });
      if (current.name === 'waiting' && current.isRefused) this.#linkToAnother();
    });
    return link;
  }

  /** Connects to another agent, so that its connection lists the sessions. */
  #linkToAnother(): void {
    const states = [...this.#links.values()].map(({ state }) => state.current.name);
    const next = this.state.current.server.agents.find((name) => !this.#links.has(name));
    if (next !== undefined && states.every((name) => name === 'waiting')) this.link(next);
  }

  /** Shows a session and adds it to the browser's history. */
  #show(next: SessionStore | undefined): void {
    for (const session of [this.state.current.current, next])
      if (session?.id !== undefined) this.#shown.add(session.id);
    this.state.changeAtOnce({ current: next });
    // The list marks what the user has looked at.
    this.#listSoon();
    const unwatch = next?.state.subscribe(() => {
      // A new session gets its address later.
      if (this.state.current.current !== next || next.id !== undefined) unwatch?.();
      if (this.state.current.current === next) pushAddress(next);
    });
    pushAddress(next);
  }

  /** Shows the session in the address, if there is one. */
  #showAddressed(): void {
    const [agent, id] = location.hash.slice(1).split('/').filter(Boolean).map(decoded);
    if (this.state.current.phase !== 'ready') return;
    if (location.hash === '') return this.state.change({ current: undefined });
    if (agent === undefined || id === undefined) return;
    const cwd = this.state.current.sessions.find((session) => session.id === id)?.cwd;
    this.open({ agent, id, cwd: cwd ?? this.state.current.server.roots[0] ?? '/' });
  }

  #reconnectNow(): void {
    for (const link of this.#links.values()) link.reconnectNow();
  }

  #listSoon(): void {
    clearTimeout(this.#listTimer);
    this.#listTimer = setTimeout(() => void this.#list(), listDelay);
  }

  async #list(): Promise<void> {
    const lists = await Promise.all([...this.#links.values()].map((link) => listOf(link).catch(() => undefined)));
    // Without a connection the last list stays.
    if (lists.every((list) => list === undefined)) return;
    // A gateway lists the sessions of all its agents to the clients of each.
    const sessions = [...new Map(lists.flatMap((list) => list ?? []).map((session) => [session.id, session])).values()];
    const { sessions: before, isListed } = this.state.current;
    // Sessions that this window has opened show their own notifications.
    const others = sessions.filter(({ agent, id }) => !this.#links.get(agent)?.find(id));
    if (isListed) noticeListed(before, others);
    const id = this.state.current.current?.id;
    if (id !== undefined && !document.hidden) this.#shown.add(id);
    this.#seen.look(sessions, this.#shown);
    this.#shown.clear();
    const marked = sessions.map((session) => ({ ...session, hasNews: this.#seen.hasNews(session) }));
    this.state.change({ isListed: true, sessions: marked.toSorted((one, other) => other.updatedAt - one.updatedAt) });
  }
}

/** Decodes a part of an address; undefined if it is malformed. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The sessions of an agent; undefined without a connection. */
async function listOf({ name, agent: connected }: AgentLink): Promise<readonly ListedSession[] | undefined> {
  if (!connected) return undefined;
  const listed: ListedSession[] = [];
  if (!connected.listSessions) return listed;
  for await (const { sessionId, title, cwd, updatedAt, _meta } of connected.listSessions()) {
    const { agent = name, state } = turnwireMeta<'session/list answer'>(_meta);
    listed.push({
      agent,
      id: sessionId,
      title: title ?? 'Untitled session',
      cwd,
      updatedAt: Date.parse(updatedAt ?? '') || 0,
      state,
      hasNews: false,
    });
    if (listed.length >= mostSessions) break;
  }
  return listed;
}

function pushAddress(session: SessionStore | undefined): void {
  const hash = session?.id === undefined ? '' : `#${encodeURIComponent(session.agentName)}/${session.id}`;
  if (location.hash === hash) return;
  // The entry of a dialog that leads to another session is not worth a Back.
  if (isDialogEntry()) history.replaceState(null, '', `${location.pathname}${hash}`);
  else history.pushState(null, '', `${location.pathname}${hash}`);
}
