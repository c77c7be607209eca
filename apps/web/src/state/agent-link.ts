import { type Agent, type AgentOptions, attachAgent, errorText } from '@turnwire/client';
import type { WantedFork } from '@turnwire/client/extensions';
import type {
  AuthMethod,
  CreateElicitationRequest,
  CreateElicitationResponse,
  NewSessionResponse,
  RequestPermissionRequest,
} from '@turnwire/protocol';
import { ProtocolError } from '@turnwire/protocol';
import { webSocketTransport } from '@turnwire/transports/websocket';
import { loginToken } from '../server/login.ts';
import { fetchServerFacts, NotLoggedIn } from '../server/server-facts.ts';
import { gatewayMeta } from './gateway-meta.ts';
import { noticeEnds } from './notices.ts';
import type { QueuedPrompt } from './session-state.ts';
import type { PlacedEvent } from './session-history.ts';
import { type SessionParts, SessionStore } from './session-store.ts';
import { Store } from './store.ts';

/** The connection to an agent. */
export type LinkState =
  | { readonly name: 'connecting' }
  | { readonly name: 'open' }
  /** It broke, or the server said why the agent is not there; it is made again at that time, in milliseconds since 1970. */
  | { readonly name: 'waiting'; readonly until: number; readonly message: string; readonly isRefused?: boolean }
  /** This page is not logged in any more. */
  | { readonly name: 'logged-out' };

/** A login that the agent wants. */
export interface LoginChoice {
  readonly methods: readonly AuthMethod[];
  /** Why the last one failed. */
  readonly failure?: string | undefined;
  /** Logs in with the method that has this id; undefined: not now. */
  readonly choose: (id: string | undefined) => void;
}

/** How long a connection may leave a question unanswered after the page was asleep, in milliseconds. */
const probeTime = 5_000;
/** How long nothing may come during a turn before the connection is tried, in milliseconds. */
const silence = 10_000;
/** Delays before connections are made again, in milliseconds; the last one is repeated. */
const delays = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** Types of events that change the state of a session in the list. */
const listedEvents: ReadonlySet<string> = new Set(['prompt', 'turn-ended', 'permission-asked', 'permission-answered']);

/** A connection to one agent of the server, which is made again whenever it breaks, and the sessions that this window has on it. */
export class AgentLink {
  readonly name: string;
  readonly state: Store<LinkState>;
  /** Set while the agent wants a login. */
  readonly login: Store<LoginChoice | undefined> = new Store<LoginChoice | undefined>(undefined);
  readonly #sessions = new Set<SessionStore>();
  readonly #onChange: () => void;
  #agent: Agent | undefined;
  #early: LoggedEvents[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  /** When something came last, in milliseconds since 1970. */
  #heard = 0;

  /** @param onChange called when the list of sessions may have changed */
  constructor(name: string, onChange: () => void) {
    this.name = name;
    this.#onChange = onChange;
    this.state = new Store<LinkState>({ name: 'connecting' });
    void this.#connect();
    setInterval(() => {
      const isWorking = [...this.#sessions].some(({ state }) => state.shown().workingSince !== undefined);
      const isSilent = isWorking && Date.now() - this.#heard > silence;
      // One that is broken is made again at its own time.
      if (isSilent && this.state.current.name === 'open') void this.#probe();
    }, silence / 2);
  }

  /** Undefined while there is no connection. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  /** Begins a session, or opens a stored one. It stays open while another one is shown, so that its questions are seen. */
  open(session: { readonly cwd: string; readonly id?: string | undefined }): SessionStore {
    const known = session.id === undefined ? undefined : this.find(session.id);
    if (known) return known;
    const store = this.#add(session);
    if (this.#agent) void store.attach(this.#agent).then(this.#onChange);
    return store;
  }

  /** Has the agent make a session of another, and opens it. Rejects if it makes none; undefined while there is no connection. */
  async fork({ id: sessionId, cwd }: SessionStore, wanted: WantedFork): Promise<SessionStore | undefined> {
    // The folder of the other session is the server's to know.
    const agent = this.#agent;
    if (!agent) return undefined;
    const answer = await agent.peer.raw.request('session/fork', { sessionId, _meta: { turnwire: wanted } });
    const { sessionId: id, _meta } = answer as NewSessionResponse;
    const fork = this.#add({ id, cwd });
    await fork.attach(agent);
    this.#onChange();
    const { restored } = gatewayMeta(_meta);
    if (restored !== undefined) fork.remark('The files of the turns that were left out', restored);
    return fork;
  }

  /** The session with an id, if this window has opened it. */
  find(id: string): SessionStore | undefined {
    return [...this.#sessions].find((session) => session.id === id);
  }

  /** Opens a session again that could not be opened. */
  retry(session: SessionStore): void {
    if (this.#agent) void session.attach(this.#agent).then(this.#onChange);
    else this.hurry();
  }

  /** A session was deleted. */
  forget(id: string): void {
    const store = this.find(id);
    if (store) this.#sessions.delete(store);
  }

  /** Connects at once instead of later, or finds out whether a connection that seems open is. */
  hurry(): void {
    const { name } = this.state.current;
    if (name === 'waiting' || name === 'logged-out') void this.#connect();
    else if (name === 'open') void this.#probe();
  }

  /** The browser has no network: the connection is not waited for. */
  networkLost(): void {
    void this.#agent?.close();
  }

  #add(session: Pick<SessionParts, 'cwd' | 'id'>): SessionStore {
    const store = new SessionStore(this.name, {
      ...session,
      logIn: (agent) => this.#logIn(agent),
      onBegun: () => this.#receiveEarly(),
    });
    this.#sessions.add(store);
    noticeEnds(store);
    return store;
  }

  async #probe(): Promise<void> {
    const agent = this.#agent;
    const probe = agent?.peer.raw.request('_turnwire/probe', {}, { timeout: probeTime });
    // Whatever the answer is: there is one.
    await probe?.catch((error: unknown) => {
      if (!(error instanceof ProtocolError)) void agent?.close();
    });
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#timer);
    this.state.set({ name: 'connecting' });
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    // A page can set no header: the server takes the token from the list of subprotocols.
    const protocols = ['acp', `bearer.${loginToken() ?? ''}`];
    const socket = new WebSocket(`${scheme}://${location.host}${location.pathname}agents/${this.name}/acp`, protocols);
    try {
      this.#agent = await attachAgent(webSocketTransport(socket), this.#options());
    } catch (error) {
      const isRefused = error instanceof ProtocolError;
      if (isRefused) for (const session of this.#sessions) session.cannotOpen(errorText(error));
      return this.#broke(errorText(error), isRefused);
    }
    const agent = this.#agent;
    this.#attempts = 0;
    this.state.set({ name: 'open' });
    void agent.closed.then(({ error }) => {
      this.#agent = undefined;
      for (const session of this.#sessions) session.detach();
      void this.#broke(error?.message ?? 'The server ended the connection.');
    });
    await Promise.all([...this.#sessions].map((session) => session.attach(agent)));
    this.#onChange();
  }

  /** A browser does not say why a WebSocket was refused, so the server is asked whether this page may connect at all. */
  async #broke(message: string, isRefused = false): Promise<void> {
    const isLoggedOut = await fetchServerFacts().then(
      () => false,
      (error: unknown) => error instanceof NotLoggedIn,
    );
    if (isLoggedOut) return this.state.set({ name: 'logged-out' });
    const delay = delays[Math.min(this.#attempts++, delays.length - 1)] ?? 0;
    this.state.set({ name: 'waiting', until: Date.now() + delay, message, isRefused });
    this.#timer = setTimeout(() => void this.#connect(), delay);
  }

  #options(): AgentOptions {
    const elicit = (
      request: CreateElicitationRequest,
      { signal }: { readonly signal: AbortSignal },
    ): Promise<CreateElicitationResponse> => this.#asked(request)?.askElicitation(request, signal) ?? unanswered();
    return {
      clientInfo: { name: 'turnwire-web', title: 'Browser', version: '0.1.0' },
      clientMeta: { turnwire: { events: true, batches: true, ownPrompts: true } },
      permission: (request: RequestPermissionRequest, { signal }) => {
        // A session that waits for an answer is marked in the list.
        this.#onChange();
        const asked = this.find(request.sessionId)?.askPermission(request, signal);
        return asked?.finally(this.#onChange) ?? unanswered();
      },
      host: { elicitation: { form: elicit, url: elicit, complete: (id) => this.#endVisit(id) } },
      tap: (direction) => {
        if (direction === 'in') this.#heard = Date.now();
        return undefined;
      },
      extensions: {
        '_turnwire/events': (logged) => this.#receive(logged as LoggedEvents),
        '_turnwire/queue': (queued) => {
          const { sessionId, waiting } = queued as {
            readonly sessionId: string;
            readonly waiting: readonly QueuedPrompt[];
          };
          this.find(sessionId)?.state.change({ queue: waiting });
        },
      },
    };
  }

  /** Logs in as the user chooses; whether that was done. */
  async #logIn(agent: Agent): Promise<boolean> {
    const { authMethods: methods } = agent;
    // Without any, the code of the error means something else.
    if (methods.length === 0) return false;
    for (let failure: string | undefined; ;) {
      const methodId = await new Promise<string | undefined>((resolve) => {
        this.login.current?.choose(undefined);
        this.login.set({ methods, failure, choose: resolve });
      });
      this.login.set(undefined);
      if (methodId === undefined) return false;
      try {
        await agent.authenticate(methodId);
        return true;
      } catch (error) {
        failure = errorText(error);
      }
    }
  }

  #receive({ sessionId, events }: LoggedEvents): void {
    const session = this.find(sessionId);
    if (session) session.receive(events);
    else if ([...this.#sessions].some(({ id }) => id === undefined)) this.#early.push({ sessionId, events });
    if (events.some(({ event: { type } }) => listedEvents.has(type))) this.#onChange();
  }

  /** Events of a new session may be there before its id has reached it. */
  #receiveEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const logged of early) this.#receive(logged);
  }

  #endVisit(id: string): void {
    for (const session of this.#sessions) session.endVisit(id);
  }

  #asked(request: object): SessionStore | undefined {
    const id = 'sessionId' in request ? request.sessionId : undefined;
    return typeof id === 'string' ? this.find(id) : undefined;
  }
}

interface LoggedEvents {
  readonly sessionId: string;
  readonly events: readonly PlacedEvent[];
}

/** A question about a session that this window does not show. Any answer would count for other windows, which do. */
function unanswered(): Promise<never> {
  return new Promise(() => undefined);
}
