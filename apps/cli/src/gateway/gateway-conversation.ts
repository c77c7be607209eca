import { errorText, type HostContext, type HostElicitation } from '@turnwire/client';
import {
  type ConversationState,
  type QueuedPrompt,
  sessionPages,
  type WantedFork,
} from '@turnwire/client/conversation';
import { emptyTranscript, reduce, type TranscriptEvent, type TranscriptView } from '@turnwire/client/transcript';
import { type Fork, gatewayError, type SessionState } from '@turnwire/gateway';
import {
  type AgentCapabilities,
  type AuthMethod,
  connectClient,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type Handlers,
  type Implementation,
  type Peer,
  protocolVersion,
  type SessionInfo,
  type Transport,
} from '@turnwire/protocol';
import { clientInfo } from '../driving/drive.ts';
import type { AskUser } from '../questions/ask-user.ts';
import { answerPermission } from './answer-permission.ts';

/** What a conversation has with a gateway. */
export interface GatewayConversationParts {
  /** Leads to the gateway, with the scope `admin`. */
  readonly transport: Transport;
  /** The working directory: an absolute path. */
  readonly cwd: string;
  /** Further folders for the agent. */
  readonly additionalDirectories: readonly string[];
  /** Keys for `_meta` of the set-up. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The agent's id of the session to go on with. Absent: a new one begins. */
  readonly agentSessionId: string | undefined;
  /** What each turn may take, as the gateway reads it. */
  readonly limits: { readonly cost?: number | undefined };
  /** Asks the user for a permission that the rules of the gateway leave open. */
  readonly ask: AskUser;
  /** Asks the user a question of the agent. */
  readonly elicitation: HostElicitation;
  /** Called with the reason when the gateway ended a turn. */
  readonly onStopped: (message: string) => void;
}

/** A prompt, from the call to the end of its turn. */
interface Prompted extends QueuedPrompt {
  /** Names it to the gateway. */
  readonly key: string;
  readonly calledOff: AbortController;
  /** The state until the gateway says what comes of it: with an agent that is ready, and with one that is not there. */
  readonly working: ConversationState;
  readonly starting: ConversationState;
  /** `gone`: its turn is over, or it was called off before that began. */
  place: 'waiting' | 'running' | 'gone';
}

/** One session of a gateway, as its only client sees it: what it shows is made of the log and the states that the gateway sends. */
export class GatewayConversation implements AsyncDisposable {
  /** Resolves when the session is open, and all of it is in the transcript. Rejects with the reason otherwise. */
  readonly opened: Promise<void>;
  readonly #parts: GatewayConversationParts;
  readonly #peer: Peer<'client'>;
  readonly #listeners = new Set<() => void>();
  /** The id of the session at the gateway. */
  readonly #attached: Promise<string>;
  #sessionId: string | undefined;
  #transcript: TranscriptView = emptyTranscript();
  #state: ConversationState = { name: 'starting', since: Date.now() };
  #agent: Pick<SessionState, 'agent' | 'offers'> = {};
  #prompts: readonly Prompted[] = [];
  #count = 0;
  /** The turns of the prompts that wait at the gateway. */
  #turnsThatWait: readonly { readonly turnId: string; readonly key?: string }[] = [];

  constructor(parts: GatewayConversationParts) {
    this.#parts = parts;
    this.#peer = connectClient(parts.transport, this.#handlers());
    this.#attached = this.#attach();
    this.#attached.catch((error: unknown) => this.#failed(error));
    this.opened = this.restart();
    this.opened.catch(() => undefined);
  }

  get state(): ConversationState {
    if (this.#state.name === 'ready') return this.#current?.working ?? this.#state;
    if (this.#state.name === 'dead') return this.#firstWaiting?.starting ?? this.#state;
    return this.#state;
  }

  get transcript(): TranscriptView {
    return this.#transcript;
  }

  /** What the agent offers, while it runs. */
  get agent(): { readonly capabilities: AgentCapabilities; readonly authMethods: readonly AuthMethod[] } | undefined {
    return this.#agent.offers;
  }

  /** As the agent introduced itself, while it runs. */
  get agentInfo(): Implementation | undefined {
    return this.#agent.agent;
  }

  /** The agent's id of the session that was gone on with. */
  get agentSessionId(): string | undefined {
    return this.#parts.agentSessionId;
  }

  /** The id of the session at the gateway, once it is open. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Prompts that wait for the running turn, oldest first. */
  get queue(): readonly Prompted[] {
    const current = this.#current;
    return this.#prompts.filter((each) => each.place === 'waiting' && each !== current);
  }

  /** Notifies of every change of state, transcript or queue. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Starts a turn, or queues it. What becomes of it is in the transcript. */
  prompt(content: readonly ContentBlock[]): void {
    const calledOff = new AbortController();
    const since = Date.now();
    const prompted: Prompted = {
      id: String(++this.#count),
      content,
      key: crypto.randomUUID(),
      calledOff,
      working: { name: 'working', since },
      starting: { name: 'starting', since },
      place: 'waiting',
    };
    this.#prompts = [...this.#prompts, prompted];
    this.#changed();
    void this.#run(prompted);
  }

  /** Cancels the running turn, if any; waiting prompts stay. */
  cancel(): void {
    this.#current?.calledOff.abort();
  }

  /** Removes a waiting prompt. False if its turn has begun. */
  withdraw(id: string): boolean {
    const prompted = this.queue.find((each) => each.id === id);
    if (!prompted) return false;
    prompted.place = 'gone';
    prompted.calledOff.abort();
    this.#changed();
    return true;
  }

  /**
   * Sends a waiting prompt into the running turn. Resolves with whether the agent has read it there; else it waits on. Absent: the agent takes
   * none.
   */
  get steer(): ((id: string) => Promise<boolean>) | undefined {
    return this.#agent.offers?.steering ? (id) => this.#steer(id) : undefined;
  }

  /** Sets the mode of the session, and again after a restart. Rejects if the agent has no modes. */
  async setMode(modeId: string): Promise<void> {
    const sessionId = await this.#attached;
    await this.#asked(this.#peer.request('session/set_mode', { sessionId, modeId }));
  }

  /** Sets an option of the session, and again after a restart. Rejects if the agent has none. */
  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    const sessionId = await this.#attached;
    const given = typeof value === 'boolean' ? ({ type: 'boolean', value } as const) : { value };
    await this.#asked(this.#peer.request('session/set_config_option', { sessionId, configId, ...given }));
  }

  /** Logs in with one of the agent's methods and continues; restarts the agent where the method requires that. */
  async authenticate(methodId: string): Promise<void> {
    const sessionId = await this.#attached;
    await this.#asked(this.#peer.request('_turnwire/authenticate', { sessionId, methodId }));
  }

  /** Ends the agent, if it runs, and starts it with the session. Rejects with the reason if it cannot be. */
  async restart(): Promise<void> {
    const sessionId = await this.#attached;
    await this.#asked(this.#peer.request('_turnwire/restart', { sessionId }));
  }

  /** The sessions that the agent itself has in the folder, without this one: fetched page by page during iteration. */
  async *ownSessions(signal: AbortSignal): AsyncGenerator<SessionInfo> {
    const sessionId = await this.#attached;
    const { cwd } = this.#parts;
    const page = (cursor: string | undefined): Promise<unknown> =>
      this.#asked(this.#peer.request('_turnwire/sessions', { sessionId, cwd, cursor }, { signal }));
    for await (const sessions of sessionPages(page as Parameters<typeof sessionPages>[0])) yield* sessions;
  }

  /** Has the agent make a session of its own that begins with the history of this one. Rejects with -32601 if it cannot. */
  async fork(wanted: WantedFork = {}): Promise<Fork> {
    const sessionId = await this.#attached;
    const asked = this.#peer.request('_turnwire/fork', { sessionId, _meta: { turnwire: wanted } });
    return (await this.#asked(asked)) as Fork;
  }

  /** Closes the session where the agent supports it, ends the agent, and then the connection. */
  async close(): Promise<void> {
    if (this.#state.name === 'closed') return;
    this.#state = { name: 'closed' };
    this.#changed();
    try {
      await this.#peer.request('session/close', { sessionId: await this.#attached });
    } catch {
      // It ends with its gateway.
    }
    await this.#peer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The prompt whose turn runs, or begins with the next message of the gateway. */
  get #current(): Prompted | undefined {
    const running = this.#prompts.find(({ place }) => place === 'running');
    return running ?? (this.#state.name === 'ready' ? this.#firstWaiting : undefined);
  }

  get #firstWaiting(): Prompted | undefined {
    return this.#prompts.find(({ place }) => place === 'waiting');
  }

  async #steer(id: string): Promise<boolean> {
    const key = this.queue.find((each) => each.id === id)?.key;
    const turnId = this.#turnsThatWait.find((each) => each.key === key)?.turnId;
    if (turnId === undefined) return false;
    const sessionId = await this.#attached;
    const answer = await this.#asked(this.#peer.request('_turnwire/steer', { sessionId, turnId }));
    return (answer as { readonly steered: boolean }).steered;
  }

  async #attach(): Promise<string> {
    const { cwd, additionalDirectories, meta, agentSessionId, elicitation } = this.#parts;
    await this.#peer.request('initialize', {
      protocolVersion,
      clientInfo: clientInfo(),
      clientCapabilities: {
        elicitation: { ...(elicitation.form && { form: {} }), ...(elicitation.url && { url: {} }) },
        session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
        _meta: { turnwire: { events: true, batches: true, startsLater: true } },
      },
    });
    const { sessionId } = await this.#peer.request('session/new', {
      cwd,
      ...(additionalDirectories.length > 0 && { additionalDirectories: [...additionalDirectories] }),
      mcpServers: [],
      _meta: { ...meta, turnwire: { agentSessionId } },
    });
    this.#sessionId = sessionId;
    return sessionId;
  }

  #handlers(): Handlers<'client'> {
    const { ask, elicitation } = this.#parts;
    return {
      'session/request_permission': async (request, { signal }) => {
        const option = await answerPermission(request, { ask, signal });
        return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
      },
      'elicitation/create': (request, { signal }) => answerQuestion(elicitation, request, { roots: [], signal }),
      'elicitation/complete': ({ elicitationId }) => elicitation.complete?.(elicitationId),
      '_turnwire/events': (params) => {
        const { events } = params as { readonly events: readonly { readonly event: TranscriptEvent }[] };
        for (const { event } of events) this.#receive(event);
        this.#changed();
      },
      '_turnwire/queue': (params) => {
        this.#turnsThatWait = (params as { readonly waiting: readonly { readonly turnId: string }[] }).waiting;
      },
      '_turnwire/state': (params) => this.#show((params as { readonly state: SessionState }).state),
    };
  }

  async #run(prompted: Prompted): Promise<void> {
    const { limits, onStopped } = this.#parts;
    try {
      const sessionId = await this.#attached;
      const request = { sessionId, prompt: [...prompted.content], _meta: { turnwire: { limits, key: prompted.key } } };
      const answer = await this.#peer.request('session/prompt', request, { signal: prompted.calledOff.signal });
      const { stopped } = (answer._meta?.['turnwire'] ?? {}) as { readonly stopped?: { readonly message: string } };
      if (stopped) onStopped(stopped.message);
    } catch (error) {
      // Of a turn that has begun it is in the log.
      if (prompted.place === 'waiting' && !prompted.calledOff.signal.aborted) this.#refused(error);
    } finally {
      this.#prompts = this.#prompts.filter((each) => each !== prompted);
      this.#changed();
    }
  }

  #refused(error: unknown): void {
    if (this.#state.name === 'closed') return;
    this.#receive({ at: Date.now(), type: 'remark', severity: 'error', title: errorText(gatewayError(error)) });
  }

  #receive(event: TranscriptEvent): void {
    if (event.type === 'prompt') this.#begins(event.content);
    if (event.type === 'turn-ended' || event.type === 'turn-failed') this.#ends();
    this.#transcript = reduce(this.#transcript, event);
  }

  #begins(content: readonly ContentBlock[]): void {
    const text = JSON.stringify(content);
    const prompted = this.#prompts.find((each) => each.place === 'waiting' && JSON.stringify(each.content) === text);
    if (prompted) prompted.place = 'running';
  }

  #ends(): void {
    for (const prompted of this.#prompts) if (prompted.place === 'running') prompted.place = 'gone';
  }

  #show({ agent, offers, ...state }: SessionState): void {
    if (this.#state.name === 'closed') return;
    this.#agent = { ...(agent && { agent }), ...(offers && { offers }) };
    this.#state = state.name === 'parked' ? { name: 'starting', since: Date.now() } : state;
    this.#changed();
  }

  #failed(error: unknown): void {
    this.#show({ name: 'dead', message: errorText(error) });
  }

  /** An error of the agent is the error it was in the gateway. */
  async #asked<Result>(request: Promise<Result>): Promise<Result> {
    try {
      return await request;
    } catch (error) {
      throw gatewayError(error);
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

async function answerQuestion(
  { form, url }: HostElicitation,
  request: CreateElicitationRequest,
  context: HostContext,
): Promise<CreateElicitationResponse> {
  const answered = await (request.mode === 'url' ? url : form)?.(request, context);
  return answered ?? { action: 'cancel' };
}
