import type { HostElicitation } from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import { sessionPages, type WantedFork } from '@turnwire/client/extensions';
import type { TranscriptView } from '@turnwire/client/transcript';
import { answerOf } from '@turnwire/permissions';
import type { AgentState, AgentWork, ContentBlock, Implementation, SessionFork, SessionInfo } from '@turnwire/protocol';
import { type LivePrompt, LiveSession, type Session } from '@turnwire/runtime';
import type { AskUser } from '../questions/ask-user.ts';

/** The state that a chat shows; `closed` after the user left the session. */
export type ChatState = Exclude<AgentState, { readonly name: 'parked' }> | { readonly name: 'closed' };

/** Options of a chat's session. */
export interface ChatSessionParts {
  /** Makes the session without starting its agent. */
  readonly begin: () => Promise<Session>;
  /** The agent's id of the session to continue. Absent: a new one begins. */
  readonly agentSessionId: string | undefined;
  /** Limits of each turn. */
  readonly limits: { readonly cost?: number };
  /** Asks the user for a permission that the rules leave open. */
  readonly ask: AskUser;
  /** Asks the user a question of the agent. */
  readonly elicitation: HostElicitation;
  /** Called with the reason when a limit ended a turn. */
  readonly onStopped: (message: string) => void;
}

/** A session as a chat shows it: its transcript, its state and its queue. */
export class ChatSession implements AsyncDisposable {
  /** Resolves when the session is open and its history is in the transcript. Rejects with the reason of a failure. */
  readonly opened: Promise<void>;
  readonly #parts: ChatSessionParts;
  readonly #listeners = new Set<() => void>();
  readonly #live: LiveSession;
  readonly #starting: ChatState = { name: 'starting', since: Date.now() };
  #failure: ChatState | undefined;
  #isClosed = false;

  constructor(parts: ChatSessionParts) {
    const { begin, limits, ask, elicitation } = parts;
    this.#parts = parts;
    this.#live = new LiveSession({
      ...{ begin, limits, elicitation },
      author: { connection: 'chat', client: 'turnwire' },
      askPermission: async (question, signal) => {
        const { choice, feedback } = (await ask(question.view, signal)) ?? {};
        return answerOf(question, choice, feedback);
      },
      onChange: () => this.#changed(),
      onRefused: (error) => {
        if (!this.#isClosed)
          this.#live.add({ at: Date.now(), type: 'remark', severity: 'error', title: errorText(error) });
      },
    });
    this.#live.begun.catch((error: unknown) => {
      this.#failure = { name: 'dead', message: errorText(error) };
      this.#changed();
    });
    this.opened = this.restart();
    this.opened.catch(() => undefined);
  }

  /** The state of the session. The beginning of a turn shows at once, its end only after its events. */
  get state(): ChatState {
    if (this.#isClosed) return { name: 'closed' };
    const { session } = this.#live;
    if (!session) return this.#failure ?? this.#starting;
    const { agent: _agent, offers: _offers, ...shown } = isBusy(session.state) ? session.state : session.shown.state;
    return shown.name === 'parked' ? this.#starting : shown;
  }

  get transcript(): TranscriptView {
    return this.#live.transcript;
  }

  /** The offers of the agent; undefined while it does not run. */
  get agent(): AgentState['offers'] {
    return this.#live.session?.shown.state.offers;
  }

  /** The agent's introduction; undefined while it does not run. */
  get agentInfo(): Implementation | undefined {
    return this.#live.session?.shown.state.agent;
  }

  /** The agent's id of the session; undefined while a new one has none. */
  get agentSessionId(): string | undefined {
    return this.#live.session?.facts.agentSessionId ?? this.#parts.agentSessionId;
  }

  /** The id of the session; undefined before it began. */
  get sessionId(): string | undefined {
    return this.#live.session?.id;
  }

  /** Prompts that wait for the running turn, oldest first. */
  get queue(): readonly LivePrompt[] {
    return this.#live.queue;
  }

  /** Calls the listener after every change of the state, the transcript or the queue. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Starts a turn or queues it. The transcript shows its end. */
  prompt(content: readonly ContentBlock[]): void {
    if (this.#isClosed) return;
    this.#live.prompt(content).then(
      // The transcript shows the end of a turn at a limit of its budgets.
      ({ stopped }) => stopped && stopped.reason !== 'budget' && this.#parts.onStopped(stopped.message),
      () => undefined,
    );
  }

  /** Cancels the running turn, if any; waiting prompts stay. */
  cancel(): void {
    void this.#live.session?.turns.cancelRunning();
  }

  /** Removes a waiting prompt. Returns false if its turn has begun. */
  withdraw(id: string): boolean {
    return this.#live.withdraw(id);
  }

  /**
   * Sends a waiting prompt into the running turn. Resolves with false if the agent does not take it: then it still waits. Absent: the agent does
   * not support this.
   */
  get steer(): ((id: string) => Promise<boolean>) | undefined {
    const { turns } = this.#live.session ?? {};
    return turns && this.agent?.steering ? (id) => turns.steer(id) : undefined;
  }

  /** Sets the mode of the session, and again after a restart. Rejects if the agent does not offer modes. */
  async setMode(modeId: string): Promise<void> {
    await (await this.#live.begun).agent.setMode(modeId);
  }

  /** Sets an option of the session, and again after a restart. Rejects if the agent does not offer options. */
  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    await (await this.#live.begun).agent.setConfigOption(configId, value);
  }

  /** Logs in with one of the agent's methods and continues; restarts the agent where the method requires that. */
  async authenticate(methodId: string): Promise<void> {
    await this.#live.during((session) => session.authenticate({ methodId }));
  }

  /** Ends the agent, if it runs, and starts it with the session. Rejects with the reason of a failure. */
  async restart(): Promise<void> {
    await this.#live.during((session) => session.restart());
  }

  /** Asks the agent to cancel a tool call, a terminal or a child session. Rejects with the reason if it cannot. */
  async cancelWork(work: AgentWork): Promise<void> {
    await (await this.#live.begun).agent.cancelWork(work);
  }

  /** The sessions that the agent itself has in the folder, without this one: fetched page by page during iteration. */
  async *ownSessions(signal: AbortSignal): AsyncGenerator<SessionInfo> {
    const session = await this.#live.begun;
    const { cwd } = session.record;
    for await (const sessions of sessionPages((cursor) => session.agent.ownSessions({ cwd, cursor }))) {
      signal.throwIfAborted();
      yield* sessions;
    }
  }

  /** Asks the agent for a session with the history of this one. Rejects with -32601 if the agent cannot fork. */
  async fork(wanted: WantedFork = {}): Promise<SessionFork> {
    return (await this.#live.begun).fork({ turnwire: wanted });
  }

  /** Closes the session where the agent supports it, and ends the agent. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#changed();
    // If the session could not be created, there is nothing to close.
    const session = await this.#live.begun.catch(() => undefined);
    await session?.close({ asClosed: true }).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isBusy({ name }: AgentState): boolean {
  return name === 'working' || name === 'starting';
}
