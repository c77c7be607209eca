import type { Agent, HostTerminals } from '@turnwire/client';
import { emptyTranscript, reduce, type TranscriptEvent, type TranscriptView } from '@turnwire/client/transcript';
import { createPermissions, type Permissions } from '@turnwire/permissions';
import type { AgentState, ContentBlock, StopReason } from '@turnwire/protocol';
import {
  type HostedAgent,
  memoryStore,
  type Session,
  type SessionFacts,
  type SessionRecord,
  Sessions,
  type SessionStore,
  type Subscriber,
  type Subscription,
} from '../src/index.ts';

/** How a driven session differs from the usual one. */
export interface DrivenOptions extends Pick<HostedAgent, 'loadNotBefore' | 'replaysLate' | 'retry' | 'reconnect'> {
  /** Starts the agent, which has no access to the session: it is as a client without a runtime starts it. */
  readonly start: (signal: AbortSignal) => Promise<Agent>;
  readonly cwd: string;
  /** The agent's id of the session to continue. */
  readonly sessionId?: string;
  /** When it was last set up: if the agent has lost it, a new one begins. Default: unknown, and a lost one fails. */
  readonly setUpAt?: number;
  readonly modeId?: string;
  readonly silence?: number;
  readonly permissions?: Permissions;
  readonly terminals?: HostTerminals;
  readonly onEvent?: (event: TranscriptEvent) => void;
}

/** A prompt of a driven session. */
export interface DrivenTurn extends PromiseLike<{ readonly stopReason: StopReason | (string & {}) }> {
  readonly result: Promise<{ readonly stopReason: StopReason | (string & {}) }>;
  /** Cancels it. Settles as the result does. */
  cancel(): Promise<unknown>;
}

/** A session as a surface in its process drives it, with its transcript: it can be used before it is open. */
export class DrivenSession implements AsyncDisposable {
  readonly opened: Promise<void>;
  transcript: TranscriptView = emptyTranscript();
  readonly #sessions: Sessions;
  readonly #begun: Promise<Session>;
  readonly #listeners = new Set<() => void>();
  readonly #options: DrivenOptions;
  #session: Session | undefined;
  #subscription: Subscription | undefined;
  #early: { readonly id: string; readonly content: readonly ContentBlock[]; readonly gone: AbortController }[] = [];
  #agent: Agent | undefined;
  #agentSessionId: string | undefined;
  #isClosed = false;
  #isDue = false;

  constructor(options: DrivenOptions) {
    this.#options = options;
    const { start, cwd, loadNotBefore, replaysLate, retry, reconnect, terminals, silence, permissions } = options;
    const { setUpAt, modeId } = options;
    this.#sessions = new Sessions({
      store: storeWith({ ...(setUpAt !== undefined && { setUpAt }), ...(modeId !== undefined && { modeId }) }),
      cwd,
      agents: {
        driven: {
          ...{ loadNotBefore, replaysLate, retry, reconnect },
          host: () => (terminals ? { terminals } : {}),
          start: async ({ signal }) => (this.#agent = await start(signal ?? new AbortController().signal)),
        },
      },
      rules: ({ cwd: project }) => permissions ?? createPermissions({ project, mode: 'bypassPermissions' }),
      history: 'passing',
      limits: { question: Infinity, queue: Infinity, ...(silence !== undefined && { silence }) },
    });
    this.#begun = this.#begin();
    this.opened = this.#shown((session) => session.wake());
    this.opened.catch(() => undefined);
  }

  get state(): AgentState | { readonly name: 'closed' } {
    if (this.#isClosed) return { name: 'closed' };
    const {
      agent: _agent,
      offers: _offers,
      ...state
    } = this.#session?.state ?? { name: 'starting', since: Date.now() };
    return state as AgentState;
  }

  /** The connection to the agent; undefined while it does not run. */
  get agent(): Agent | undefined {
    return this.#session?.state.offers && this.#agent;
  }

  /** The session as the agent has it. */
  get session(): { readonly id: string } | undefined {
    const id = this.#session?.facts.agentSessionId ?? this.#agentSessionId;
    return id === undefined ? undefined : { id };
  }

  get queue(): readonly { readonly id: string; readonly content: readonly ContentBlock[] }[] {
    const waiting = this.#session?.turns.queue.notBegun ?? [];
    return [...waiting.map(({ turnId: id, prompt }) => ({ id, content: prompt.content })), ...this.#early];
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  prompt(prompt: string | readonly ContentBlock[]): DrivenTurn {
    const content = typeof prompt === 'string' ? [{ type: 'text', text: prompt } as const] : prompt;
    const gone = new AbortController();
    const result = this.#session ? this.#run(this.#session, { content, gone }) : this.#later({ content, gone });
    result.catch(() => undefined);
    this.#changed();
    const cancel = (): Promise<unknown> => {
      gone.abort();
      return result;
    };
    // oxlint-disable-next-line unicorn/no-thenable -- a turn is awaited for its result
    return { result, cancel, then: (fulfilled, rejected) => result.then(fulfilled, rejected) };
  }

  async cancel(): Promise<void> {
    await this.#session?.turns.cancelRunning();
  }

  withdraw(id: string): boolean {
    const early = this.#early.find((each) => each.id === id);
    early?.gone.abort();
    this.#early = this.#early.filter((each) => each !== early);
    return early !== undefined || (this.#session?.turns.withdraw(id) ?? false);
  }

  advance(id: string): boolean {
    return this.#session?.turns.advance(id) ?? false;
  }

  async setMode(modeId: string): Promise<void> {
    await this.#shown((session) => session.agent.setMode(modeId));
  }

  async authenticate(methodId: string): Promise<void> {
    await this.#shown((session) => session.authenticate(methodId));
  }

  async restart(): Promise<void> {
    await this.#shown((session) => session.restart());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#changed();
    await this.#begun;
    this.#agentSessionId = this.session?.id;
    await this.#sessions.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #begin(): Promise<Session> {
    const { cwd, sessionId: agentSessionId } = this.#options;
    const session = await this.#sessions.create({
      ...{ tenant: 'test', agent: 'driven', cwd, additionalDirectories: [], mcpServers: [] },
      ...{ startsLater: true, agentSessionId },
    });
    const { subscription } = await session.subscribe(this.#subscriber, { after: session.head });
    subscription.goLive();
    this.#session = session;
    this.#subscription = subscription;
    return session;
  }

  readonly #subscriber: Subscriber = {
    author: { connection: 'test', client: 'test' },
    role: 'control',
    isOwner: true,
    readsEvents: true,
    receive: (events) => {
      for (const { event } of events) {
        const { by: _by, ...own } = event;
        this.transcript = reduce(this.transcript, own as TranscriptEvent);
        this.#options.onEvent?.(own as TranscriptEvent);
      }
      return void this.#changed();
    },
    // States may be short.
    changed: () => {
      for (const listener of this.#listeners) listener();
      return undefined;
    },
  };

  /** A prompt that is sent once there is a session. */
  async #later(prompt: {
    readonly content: readonly ContentBlock[];
    readonly gone: AbortController;
  }): Promise<{ readonly stopReason: StopReason | (string & {}) }> {
    const early = { id: `early-${this.#early.length}`, ...prompt };
    this.#early.push(early);
    const session = await this.#begun;
    const isWithdrawn = !this.#early.includes(early);
    this.#early = this.#early.filter((each) => each !== early);
    return isWithdrawn ? { stopReason: 'cancelled' } : this.#run(session, prompt);
  }

  async #run(
    session: Session,
    { content, gone }: { readonly content: readonly ContentBlock[]; readonly gone: AbortController },
  ): Promise<{ readonly stopReason: StopReason | (string & {}) }> {
    try {
      const { signal } = gone;
      const { stopReason, meta } = await session.prompt({ content, subscriber: this.#subscriber, signal });
      return { stopReason, ...(meta && { _meta: meta }) };
    } finally {
      await this.#subscription?.reached(session.head.sequence);
    }
  }

  async #shown(work: (session: Session) => Promise<void>): Promise<void> {
    const session = await this.#begun;
    try {
      await work(session);
    } finally {
      await session.log.stored();
      await this.#subscription?.reached(session.head.sequence);
    }
  }

  /** Once for all changes in one turn of the event loop. */
  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** A store whose sessions begin with facts. */
function storeWith(facts: SessionFacts): SessionStore {
  const store = memoryStore();
  const create = store.create.bind(store);
  return Object.assign(store, {
    create: (record: SessionRecord) => create({ ...record, facts: { ...record.facts, ...facts } }),
  });
}
