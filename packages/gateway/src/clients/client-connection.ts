import { isAbsolute } from 'node:path';
import {
  checks,
  type ClientCapabilities,
  type Closed,
  connectAgent,
  type Handlers,
  type InitializeRequest,
  type InitializeResponse,
  invalidParams,
  keptValue,
  type LoadSessionRequest,
  methodNotFound,
  type NewSessionRequest,
  type Peer,
  type PromptRequest,
  type PromptResponse,
  type RequestContext,
  type ResumeSessionRequest,
  type SteeringAnswer,
  steeringMethod,
  steeringRequest,
  type Transport,
} from '@turnwire/protocol';
import { soon } from '@turnwire/machine/waits';
import {
  beginning,
  type Cursor,
  cursorText,
  exactTransport,
  type Session,
  type Subscriber,
  type Subscription,
  type SubscriptionStart,
  type TurnEnd,
  unknownAgent,
} from '@turnwire/runtime';
import type { Principal } from '../auth/principal.ts';
import { AcpSubscriber } from './acp-subscriber.ts';
import type { ClientSessions, SessionsOwner } from './client-sessions.ts';
import { forkMeta, metaForAgent } from './agent-meta.ts';
import { onlyObserves, onlyOwner } from './connection-refusals.ts';
import { initialized, usedCapabilities } from './introduction.ts';
import { listedSession } from './listed-session.ts';
import { sessionIdIn } from './own-parameters.ts';
import { type OpenedSession, OpenedSessions } from './opened-sessions.ts';
import { openingMeta } from './opening-meta.ts';
import { promptMeta } from './prompt-meta.ts';
import { shownOptions } from './shown-options.ts';
import { type ServedClient, turnwireHandlers } from './turnwire-handlers.ts';
import { turnwireMeta } from './turnwire-meta.ts';
import { withWireErrors } from './wire-error.ts';

let connections = 0;

/** A client of the gateway: speaks the protocol as an agent does, for any number of sessions. */
export class ClientConnection {
  /** One table for all connections, of which there may be ten thousand. */
  static readonly #handlers: Handlers<'agent'> = withWireErrors({
    initialize: (request, context) => this.#of(context).#initialize(request),
    authenticate: async ({ methodId }, context) => {
      this.#of(context).#refuseObserver();
      await this.#of(context).#authenticate(methodId);
      return {};
    },
    'session/new': (request, context) => this.#of(context).#begin(request),
    'session/load': (request, context) => this.#of(context).#reopen(request, beginning),
    'session/resume': (request, context) => this.#of(context).#reopen(request, undefined),
    'session/list': async ({ cwd, cursor }, context) => {
      const connection = this.#of(context);
      const sessions = connection.#sessions;
      const page = await sessions.list({ cwd: cwd ?? undefined, after: cursor ?? undefined }, connection.#owner);
      const shown = page.sessions.map((record) => listedSession(record, sessions.activityOf(record.id)));
      return { sessions: shown, ...(page.next !== undefined && { nextCursor: page.next }) };
    },
    'session/prompt': (request, context) => this.#of(context).#prompt(request, context),
    'session/cancel': ({ sessionId, _meta }, context) => {
      const { host, subscriber } = this.#of(context).#controlled(sessionId);
      void (turnwireMeta(_meta)['keepWaiting'] === true ? host.turns.cancelRunning() : host.turns.cancel(subscriber));
    },
    'session/set_mode': async ({ sessionId, modeId }, context) => {
      await this.#of(context).#controlled(sessionId).host.agent.setMode(modeId);
      return {};
    },
    'session/set_config_option': async ({ sessionId, configId, value }, context) => {
      const { host, subscriber } = this.#of(context).#controlled(sessionId);
      await host.agent.setConfigOption(configId, value);
      return { configOptions: shownOptions(host.facts.configOptions ?? [], subscriber.capabilities) };
    },
    'session/close': async ({ sessionId }, context) => {
      const { host, subscription } = this.#of(context).#controlled(sessionId);
      await host.closeFor(subscription);
      this.#of(context).#opened.delete(sessionId);
      return {};
    },
    'session/delete': async ({ sessionId }, context) => {
      const connection = this.#of(context);
      connection.#refuseObserver();
      await connection.#sessions.delete(sessionId, connection.#owner);
      return {};
    },
    ...this.#ownMethods(),
    [steeringMethod]: (params, context) => this.#of(context).#steer(steeringRequest(params)),
    '*': (params, context) => this.#of(context).#extension(params, context),
  });
  static readonly #byPeer = new WeakMap<object, ClientConnection>();

  /** The methods that a gateway adds to the protocol. */
  static #ownMethods(): Handlers<'agent'> {
    const handlers = Object.entries(turnwireHandlers).map(([method, handle]) => [
      method,
      (params: unknown, context: { readonly peer: object }) => handle(this.#of(context).#served, params),
    ]);
    return Object.fromEntries(handlers) as Handlers<'agent'>;
  }

  readonly closed: Promise<Closed>;
  readonly #peer: Peer<'agent'>;
  readonly #sessions: ClientSessions;
  readonly #owner: SessionsOwner;
  /** No other connection of a gateway has it. */
  readonly id: string = `${Date.now().toString(36)}-${++connections}`;
  readonly #opened = new OpenedSessions();
  #capabilities: ClientCapabilities = {};
  #name = 'unknown';

  constructor(
    transport: Transport,
    sessions: ClientSessions,
    { owner, firstId }: { readonly owner: SessionsOwner; readonly firstId?: number | undefined },
  ) {
    this.#sessions = sessions;
    this.#owner = owner;
    this.#peer = connectAgent(exactTransport(transport), ClientConnection.#handlers, { firstId, keep: keptValue });
    ClientConnection.#byPeer.set(this.#peer, this);
    this.closed = this.#peer.closed.then((closed) => {
      this.#opened.detachAll();
      return closed;
    });
  }

  get #principal(): Principal {
    return this.#owner.principal;
  }

  get #served(): ServedClient {
    return {
      sessions: this.#sessions,
      owner: this.#owner,
      opened: this.#opened,
      capabilities: this.#capabilities,
      enqueue: (request) => this.#enqueue(request),
    };
  }

  /** Whether it has no session open. */
  get isIdle(): boolean {
    return this.#opened.size === 0;
  }

  /** Whether it has a session open. */
  hasOpen(sessionId: string): boolean {
    return this.#opened.has(sessionId);
  }

  /** Ends the connection. Its sessions go on. */
  close(): Promise<void> {
    return this.#peer.close();
  }

  static #of({ peer }: { readonly peer: object }): ClientConnection {
    const connection = this.#byPeer.get(peer);
    if (!connection) throw new Error('a message of a connection that is none of the gateway');
    return connection;
  }

  async #initialize({ clientCapabilities = {}, clientInfo }: InitializeRequest): Promise<InitializeResponse> {
    this.#capabilities = usedCapabilities(clientCapabilities);
    this.#name = clientInfo?.title ?? clientInfo?.name ?? 'unknown';
    return initialized(this.#startsLater ? unknownAgent : await this.#owner.spare.facts(), this.id);
  }

  async #prompt(
    { sessionId, prompt, _meta }: PromptRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<PromptResponse> {
    const { host, subscriber, subscription } = this.#controlled(sessionId);
    const given = promptMeta(_meta, this.#principal);
    const end = await host.prompt({ content: prompt, subscriber, signal, ...given });
    const { head } = host;
    // The answer comes after all that belongs to the turn.
    await subscription.reached(head.sequence);
    return promptAnswer(end, head);
  }

  /** Takes a prompt for the running turn, whose end is the end of both. */
  async #steer(request: PromptRequest): Promise<SteeringAnswer> {
    const { host } = this.#controlled(request.sessionId);
    if (!host.turns.areUnderWay) return { outcome: 'promptRequired' };
    const { turnId } = await this.#enqueue(request);
    const isTaken = (await host.turns.steer(turnId)) || !host.turns.withdraw(turnId);
    return { outcome: isTaken ? 'injected' : 'promptRequired' };
  }

  /** Takes a prompt whose client does not wait for its turn. Resolves when it runs, or waits for those before it. */
  #enqueue({ sessionId, prompt, _meta }: PromptRequest): Promise<{ readonly turnId: string }> {
    if (!checks.PromptRequest({ sessionId, prompt }))
      throw invalidParams('_turnwire/enqueue: { sessionId, prompt } is needed, as for session/prompt');
    const { host, subscriber } = this.#controlled(sessionId);
    const given = promptMeta(_meta, this.#principal);
    const { signal } = new AbortController();
    return new Promise((resolve, reject) => {
      const onAccepted = (turnId: string): void => resolve({ turnId });
      const prompted = { content: prompt, subscriber, isUnattended: true, signal, onAccepted, ...given };
      // Its failure is in the log.
      host.prompt(prompted).catch(reject);
    });
  }

  /** The sessions of the client that wait for a login go on. Without one it is the next session that needs it. */
  async #authenticate(methodId: string): Promise<void> {
    const waiting = this.#opened.waitingForLogin;
    if (waiting.length === 0) return this.#owner.spare.authenticate(methodId);
    await Promise.all(waiting.map((host) => host.authenticate(methodId)));
  }

  async #begin(request: NewSessionRequest): Promise<object & { readonly sessionId: string }> {
    this.#refuseObserver();
    const { cwd, additionalDirectories = [], mcpServers, _meta } = request;
    const meta = metaForAgent(_meta, this.#principal);
    const { agentSessionId } = turnwireMeta(_meta);
    if (!isAbsolute(cwd)) throw invalidParams('cwd: an absolute path is needed');
    if (agentSessionId !== undefined && !this.#principal.isOwner) throw onlyOwner('_meta.turnwire.agentSessionId');
    const wanted = {
      ...{ cwd, additionalDirectories, mcpServers, meta },
      ...(typeof agentSessionId === 'string' && { agentSessionId }),
      startsLater: this.#startsLater,
    };
    const host = await this.#sessions.create(wanted, this.#owner);
    // A session that the agent has already brings its history, which is not sent to who begins with it.
    const after = agentSessionId === undefined ? beginning : host.head;
    const { subscriber, answer } = await this.#subscribe(host, { after, begins: true, role: 'control' });
    if (subscriber.readsEvents) this.#sendMissed(host, agentSessionId === undefined);
    return { sessionId: host.id, ...answer };
  }

  /** Begins a session with the history of another, which is open: the agent forks it, and replays the fork. */
  async #fork(params: unknown): Promise<object> {
    const { cwd, additionalDirectories, mcpServers = [], _meta } = (params ?? {}) as Partial<ResumeSessionRequest>;
    const { host } = this.#controlled(sessionIdIn('session/fork', params));
    if (cwd !== undefined && !isAbsolute(cwd)) throw invalidParams('cwd: an absolute path is needed');
    const { record } = host;
    const { agentSessionId, restored } = await host.fork(forkMeta(_meta, this.#principal));
    const wanted = {
      cwd: cwd ?? record.cwd,
      additionalDirectories: additionalDirectories ?? record.additionalDirectories,
      mcpServers,
      agentSessionId,
    };
    const made = await this.#sessions.create(wanted, this.#owner);
    const { answer } = await this.#subscribe(made, { after: made.head, role: 'control' });
    const shown = answer as { readonly _meta: { readonly turnwire: object } };
    const ours = { ...shown._meta.turnwire, ...(restored !== undefined && { restored }) };
    return { sessionId: made.id, ...answer, _meta: { turnwire: ours } };
  }

  /** Attaches to a session, whether it runs or is stored. Without a cursor, `load` sends it from its beginning and `resume` nothing. */
  async #reopen(
    { sessionId, _meta }: LoadSessionRequest | ResumeSessionRequest,
    first: Cursor | undefined,
  ): Promise<object> {
    const opening = openingMeta(_meta, this.#principal.scope);
    const host = await this.#sessions.find(sessionId, this.#owner);
    const { role, idle, wakes, failsIfLost } = opening;
    if (idle !== undefined) host.keepFor(idle);
    // Its prompts may bring rules that need no questions.
    if (wakes) await host.wake({ failsIfLost, keepsMode: true });
    const knownTo = opening.after ?? first;
    const start = { after: knownTo ?? host.head, role };
    const { subscriber, subscription, answer } = await this.#subscribe(host, start);
    await subscription.replayed;
    if (subscriber.readsEvents) this.#sendMissed(host, knownTo !== undefined);
    return answer;
  }

  /** What happened without clients is in what a client is sent that knows up to where it was. */
  #sendMissed(host: Session, isSent: boolean): void {
    const events = host.takeMissed();
    if (isSent) return;
    for (const event of events)
      void this.#peer.notify('_turnwire/event', { sessionId: host.id, event }).catch(() => undefined);
  }

  async #subscribe(
    host: Session,
    { role, ...start }: SubscriptionStart & { readonly role: Subscriber['role'] },
  ): Promise<{
    readonly subscriber: AcpSubscriber;
    readonly subscription: Subscription;
    readonly answer: object;
  }> {
    this.#opened.detach(host.id);
    const { events, batches, ownPrompts, asks } = turnwireMeta(this.#capabilities._meta);
    const subscriber = new AcpSubscriber({
      sessionId: host.id,
      peer: this.#peer,
      author: { connection: this.id, client: this.#name },
      role,
      isOwner: this.#principal.isOwner === true,
      capabilities: this.#capabilities,
      readsEvents: events === true,
      readsBatches: events === true && batches === true,
      readsOwnPrompts: ownPrompts === true,
      asks: asks !== false,
      ended: (ended) => this.#opened.ended(host.id, ended),
    });
    const { subscription, gap } = await host.subscribe(subscriber, start);
    this.#opened.set({ host, subscriber, subscription });
    void subscription.replayed.then(() => soon(() => subscription.goLive()));
    const { modes, configOptions } = host.facts;
    return {
      subscriber,
      subscription,
      answer: {
        ...(modes && { modes }),
        ...(configOptions && { configOptions: shownOptions(configOptions, this.#capabilities) }),
        _meta: { turnwire: { cursor: cursorText(host.head), role, state: host.state, ...(gap && { gap }) } },
      },
    };
  }

  #controlled(sessionId: string): OpenedSession {
    return this.#opened.controlled(sessionId);
  }

  /** The client is answered before there is an agent, and starts it itself. */
  get #startsLater(): boolean {
    return turnwireMeta(this.#capabilities._meta)['startsLater'] === true;
  }

  #refuseObserver(): void {
    if (this.#principal.scope === 'observe') throw onlyObserves();
  }

  /** Methods of the agent's own, about a session. Nothing of the gateway can be reached this way. */
  async #extension(
    params: unknown,
    { method, requestId }: { readonly method: string } & Partial<Pick<RequestContext, 'requestId'>>,
  ): Promise<unknown> {
    // A method that is not stable.
    if (method === 'session/fork') return this.#fork(params);
    const sessionId = (params as { readonly sessionId?: unknown } | null | undefined)?.sessionId;
    if (!method.startsWith('_') || method.startsWith('_turnwire/') || typeof sessionId !== 'string')
      throw methodNotFound(method);
    const { host } = this.#controlled(sessionId);
    const { _meta, ...rest } = params as { readonly _meta?: Readonly<Record<string, unknown>> };
    const meta = promptMeta(_meta, this.#principal).meta;
    return host.agent.call(method, { ...rest, ...(meta && { _meta: meta }) }, requestId !== undefined);
  }
}

/** @param head the last event of the session when the turn had ended */
function promptAnswer({ turnId, stopReason, meta, decisions, stopped }: TurnEnd, head: Cursor): PromptResponse {
  const turnwire = { cursor: cursorText(head), turnId, ...(decisions && { decisions }), ...(stopped && { stopped }) };
  return { stopReason, _meta: { ...meta, turnwire } };
}
