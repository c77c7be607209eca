import {
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type Implementation,
  type PermissionContext,
  type PermissionOption,
  ProtocolError,
  type RequestPermissionRequest,
  type Transport,
  type TurnwireMeta,
} from '@turnwire/protocol';
import type { Agent, AgentOptions } from '../agent/agent.ts';
import { attachAgent } from '../agent/attach-agent.ts';
import { errorText } from '../error-text/index.ts';
import { gatewayExtensions, type GatewayMethods } from './gateway-methods.ts';
import type { GatewaySession } from './gateway-session.ts';

/** The connection to a gateway. */
export type LinkState =
  | { readonly name: 'connecting' }
  | { readonly name: 'open' }
  /** The connection broke, or the gateway refused it because of its agent (`isRefused`). The next attempt is at `until`, in milliseconds since 1970. */
  | { readonly name: 'waiting'; readonly until: number; readonly message: string; readonly isRefused?: boolean }
  /** The gateway no longer accepts the login of this client. */
  | { readonly name: 'logged-out' };

/** The options of a link. */
export interface GatewayLinkParts {
  /** Opens a connection to the gateway. */
  readonly connect: () => Transport;
  /** The name and version of this client. */
  readonly clientInfo: Implementation;
  /** Called after each change of the state. */
  readonly onState: (state: LinkState) => void;
  /** Called when the gateway's list of sessions may have changed. */
  readonly onSessions: () => void;
  /** Finds out whether the gateway refused a connection because of the login: a browser does not say so. Default: it did not. */
  readonly isLoggedIn?: (() => Promise<boolean>) | undefined;
}

/** The time in which the gateway must answer a test of the connection, in milliseconds. */
const probeTime = 5_000;
/** The silence during a turn after which the link tests the connection, in milliseconds. */
const silence = 10_000;
/** The delays before new attempts, in milliseconds. The last one repeats. */
const delays = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** The events that change a session in the list. */
const listedEvents: ReadonlySet<string> = new Set(['prompt', 'turn-ended', 'permission-asked', 'permission-answered']);

/** A connection to an agent of a gateway, with the client's sessions. The link replaces a broken connection, and opens the sessions again. */
export class GatewayLink {
  readonly #parts: GatewayLinkParts;
  readonly #sessions = new Set<GatewaySession>();
  readonly #watch: ReturnType<typeof setInterval>;
  #state: LinkState = { name: 'connecting' };
  #agent: Agent | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  /** The time of the last message, in milliseconds since 1970. */
  #receivedAt = 0;
  #isClosed = false;

  constructor(parts: GatewayLinkParts) {
    this.#parts = parts;
    this.#watch = setInterval(() => this.#probeIfSilent(), silence / 2);
    void this.#connect();
  }

  /** The state of the connection. */
  get state(): LinkState {
    return this.#state;
  }

  /** The gateway; undefined without a connection. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  /** Returns the client's session with this id. */
  find(id: string): GatewaySession | undefined {
    return [...this.#sessions].find((session) => session.id === id);
  }

  /** Opens a session on this and every later connection. May be called again after a failure. Resolves after the attempt. */
  async open(session: GatewaySession): Promise<void> {
    this.#sessions.add(session);
    if (!this.#agent) return this.reconnectNow();
    await this.#open(session, this.#agent);
    this.#parts.onSessions();
  }

  /** Drops a session that was deleted. */
  forget(session: GatewaySession): void {
    this.#sessions.delete(session);
  }

  /** Connects at once, or tests the open connection. */
  reconnectNow(): void {
    const { name } = this.#state;
    if (name === 'waiting' || name === 'logged-out') void this.#connect();
    else if (name === 'open') void this.#probe();
  }

  /** Ends the connection, and connects again after a delay. */
  disconnect(): void {
    void this.#agent?.close();
  }

  /** Ends the connection for the last time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
    await this.#agent?.close();
  }

  #probeIfSilent(): void {
    const isWorking = [...this.#sessions].some((session) => session.isWorking);
    // A broken connection has its own timer.
    if (isWorking && Date.now() - this.#receivedAt > silence && this.#state.name === 'open') void this.#probe();
  }

  async #probe(): Promise<void> {
    const agent = this.#agent;
    const [session] = this.#sessions;
    // An error is an answer too, and shows that the connection works.
    const params = { sessionId: session?.id ?? '' };
    await agent?.peer.request('_turnwire/status', params, { timeout: probeTime }).catch((error: unknown) => {
      if (!(error instanceof ProtocolError)) void agent.close();
    });
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#timer);
    this.#become({ name: 'connecting' });
    try {
      this.#agent = await attachAgent(this.#parts.connect(), this.#options());
    } catch (error) {
      const isRefused = error instanceof ProtocolError;
      for (const session of this.#sessions)
        if (isRefused && session.phase === 'opening') session.fail(errorText(error));
      return this.#broke(errorText(error), isRefused);
    }
    const agent = this.#agent;
    this.#attempts = 0;
    this.#become({ name: 'open' });
    void agent.closed.then(({ error }) => {
      this.#agent = undefined;
      for (const session of this.#sessions) session.detach();
      void this.#broke(error?.message ?? 'The server ended the connection.');
    });
    await Promise.all([...this.#sessions].map((session) => this.#open(session, agent)));
    this.#parts.onSessions();
  }

  async #broke(message: string, isRefused = false): Promise<void> {
    if (this.#isClosed) return;
    if ((await this.#parts.isLoggedIn?.()) === false) return this.#become({ name: 'logged-out' });
    const delay = delays[Math.min(this.#attempts++, delays.length - 1)] ?? 0;
    this.#become({ name: 'waiting', until: Date.now() + delay, message, isRefused });
    this.#timer = setTimeout(() => void this.#connect(), delay);
  }

  async #open(session: GatewaySession, agent: Agent): Promise<void> {
    await session.open(agent).catch((error: unknown) => {
      if (agent === this.#agent) session.fail(errorText(error));
    });
  }

  #options(): AgentOptions {
    const turnwire: TurnwireMeta['initialize'] = { events: true, batches: true, ownPrompts: true };
    const elicit = (
      request: CreateElicitationRequest,
      { signal }: { readonly signal: AbortSignal },
    ): Promise<CreateElicitationResponse> =>
      this.#sessionOf(request)?.questions.askElicitation(request, signal) ?? unanswered();
    return {
      clientInfo: this.#parts.clientInfo,
      clientMeta: { turnwire },
      permission: (request, context) => this.#askPermission(request, context),
      host: { elicitation: { form: elicit, url: elicit, complete: (id) => this.#endVisit(id) } },
      tap: (direction) => {
        if (direction === 'in') this.#receivedAt = Date.now();
      },
      extensions: gatewayExtensions({
        '_turnwire/events': (logged) => this.#receive(logged),
        '_turnwire/queue': ({ sessionId, waiting }) => this.find(sessionId)?.prompts.receive(waiting),
      }),
    };
  }

  #receive(logged: GatewayMethods['_turnwire/events']['params']): Promise<void> | undefined {
    const { sessionId, events } = logged;
    if (events.some(({ event: { type } }) => listedEvents.has(type))) this.#parts.onSessions();
    const session = this.find(sessionId);
    if (session) return session.receive(events);
    for (const each of this.#sessions) each.keep(logged);
    return undefined;
  }

  /** The list marks sessions that wait for an answer. */
  async #askPermission(
    request: RequestPermissionRequest,
    context: PermissionContext,
  ): Promise<PermissionOption | undefined> {
    this.#parts.onSessions();
    try {
      return await (this.#sessionOf(request)?.questions.askPermission(request, context) ?? unanswered());
    } finally {
      this.#parts.onSessions();
    }
  }

  #endVisit(id: string): void {
    for (const session of this.#sessions) session.questions.endVisit(id);
  }

  #sessionOf(request: object): GatewaySession | undefined {
    const id = 'sessionId' in request ? request.sessionId : undefined;
    return typeof id === 'string' ? this.find(id) : undefined;
  }

  #become(state: LinkState): void {
    this.#state = state;
    this.#parts.onState(state);
  }
}

/** A client must not answer for a session that it does not have: the answer would count for the other clients. */
function unanswered(): Promise<never> {
  return new Promise(() => undefined);
}
