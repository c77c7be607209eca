import type { Agent, HostTerminals } from '@turnwire/client';
import type { TranscriptEvent, TranscriptView } from '@turnwire/client/transcript';
import { createPermissions, type Permissions } from '@turnwire/permissions';
import type { AgentState, ContentBlock, StopReason } from '@turnwire/protocol';
import {
  type HostedAgent,
  type LivePrompt,
  LiveSession,
  memoryStore,
  type SessionFacts,
  type SessionRecord,
  Sessions,
  type SessionStore,
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
  readonly #sessions: Sessions;
  readonly #live: LiveSession;
  readonly #listeners = new Set<() => void>();
  #agent: Agent | undefined;
  #agentSessionId: string | undefined;
  #isClosed = false;

  constructor(options: DrivenOptions) {
    const { start, cwd, loadNotBefore, replaysLate, retry, reconnect, terminals, silence, permissions } = options;
    const { setUpAt, modeId, sessionId: agentSessionId, onEvent } = options;
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
    this.#live = new LiveSession({
      begin: () =>
        this.#sessions.create({
          ...{ tenant: 'test', agent: 'driven', cwd, additionalDirectories: [], mcpServers: [] },
          ...{ startsLater: true, agentSessionId },
        }),
      author: { connection: 'test', client: 'test' },
      onEvent: ({ by: _by, ...event }) => onEvent?.(event as TranscriptEvent),
      onChange: () => this.#changed(),
    });
    this.opened = this.#live.during((session) => session.wake());
    this.opened.catch(() => undefined);
  }

  get transcript(): TranscriptView {
    return this.#live.transcript;
  }

  get state(): AgentState | { readonly name: 'closed' } {
    if (this.#isClosed) return { name: 'closed' };
    const {
      agent: _agent,
      offers: _offers,
      ...state
    } = this.#live.session?.state ?? { name: 'starting', since: Date.now() };
    return state as AgentState;
  }

  /** The connection to the agent; undefined while it does not run. */
  get agent(): Agent | undefined {
    return this.#live.session?.state.offers && this.#agent;
  }

  /** The session as the agent has it. */
  get session(): { readonly id: string } | undefined {
    const id = this.#live.session?.facts.agentSessionId ?? this.#agentSessionId;
    return id === undefined ? undefined : { id };
  }

  get queue(): readonly LivePrompt[] {
    return this.#live.queue;
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  prompt(prompt: string | readonly ContentBlock[]): DrivenTurn {
    const content = typeof prompt === 'string' ? [{ type: 'text', text: prompt } as const] : prompt;
    const gone = new AbortController();
    const result = this.#live
      .prompt(content, gone.signal)
      .then(({ stopReason, meta }) => ({ stopReason, ...(meta && { _meta: meta }) }));
    result.catch(() => undefined);
    const cancel = (): Promise<unknown> => {
      gone.abort();
      return result;
    };
    // oxlint-disable-next-line unicorn/no-thenable -- a turn is awaited for its result
    return { result, cancel, then: (fulfilled, rejected) => result.then(fulfilled, rejected) };
  }

  async cancel(): Promise<void> {
    await this.#live.session?.turns.cancelRunning();
  }

  withdraw(id: string): boolean {
    return this.#live.withdraw(id);
  }

  advance(id: string): boolean {
    return this.#live.session?.turns.advance(id) ?? false;
  }

  async setMode(modeId: string): Promise<void> {
    await this.#live.during((session) => session.agent.setMode(modeId));
  }

  async authenticate(methodId: string): Promise<void> {
    await this.#live.during((session) => session.authenticate({ methodId }));
  }

  async restart(): Promise<void> {
    await this.#live.during((session) => session.restart());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#changed();
    await this.#live.begun;
    this.#agentSessionId = this.session?.id;
    await this.#sessions.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
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
