import { type Agent, errorText, type Session, type UpdateContext } from '@turnwire/client';
import { emptyTranscript, reduce, type TranscriptEvent, type TranscriptView } from '@turnwire/client/transcript';
import {
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type PermissionOption,
  type PromptCapabilities,
  type RequestPermissionRequest,
  type SessionUpdate,
  TurnwireError,
} from '@turnwire/protocol';
import { gatewayMeta, type LoggedEvent } from './gateway-meta.ts';
import type { OpenQuestion } from './questions.ts';
import { Store } from './store.ts';

/** A prompt that has no place in the transcript yet. */
export interface WaitingPrompt {
  readonly key: string;
  readonly content: readonly ContentBlock[];
  /** It was sent, and is not seen in the log yet. Otherwise it waits for the running turn. */
  readonly isSent: boolean;
}

/** All that is shown of a session. */
export interface SessionState {
  readonly view: TranscriptView;
  /** `detached`: the connection broke. What is shown stays, and is completed when it is made again. */
  readonly phase: 'opening' | 'ready' | 'detached' | 'failed';
  readonly failure?: string;
  readonly role: 'control' | 'observe';
  readonly waiting: readonly WaitingPrompt[];
  readonly questions: readonly OpenQuestion[];
  /** When the running turn began, in milliseconds since 1970. */
  readonly workingSince?: number | undefined;
  readonly isCancelling: boolean;
}

let lastQuestion = 0;

/**
 * A session as this window has it. What is shown is made of the log of the gateway alone, so that it is the same in every window and after
 * a connection broke. With an agent that has no log, this side records its own prompts and their ends.
 */
export class SessionStore {
  /** Identifies it in this window, also before it has an id. */
  readonly key: string = crypto.randomUUID();
  readonly agentName: string;
  readonly cwd: string;
  readonly state: Store<SessionState>;
  #id: string | undefined;
  #agent: Agent | undefined;
  #session: Session | undefined;
  #cursor: string | undefined;
  #hasLog = false;

  constructor(agentName: string, { cwd, id }: { readonly cwd: string; readonly id?: string | undefined }) {
    this.agentName = agentName;
    this.cwd = cwd;
    this.#id = id;
    this.state = new Store<SessionState>({
      view: emptyTranscript(),
      phase: 'opening',
      role: 'control',
      waiting: [],
      questions: [],
      isCancelling: false,
    });
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** The modes and options can be set with it. Undefined while there is no connection. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** What prompts may hold besides text and links. */
  get promptCapabilities(): PromptCapabilities {
    return this.#agent?.capabilities.promptCapabilities ?? {};
  }

  /** Opens the session on a connection: a new one, a stored one, or again from where the last connection ended. */
  async attach(agent: Agent): Promise<void> {
    this.#agent = agent;
    this.#hasLog = gatewayMeta(agent.capabilities._meta).events === true;
    try {
      this.#session = await this.#open(agent);
    } catch (error) {
      if (agent === this.#agent) this.state.change({ phase: 'failed', failure: errorText(error) });
      return;
    }
    const { role = 'control', gap } = gatewayMeta(this.#session.setup._meta);
    if (gap) return this.#loadAgain(agent);
    this.state.change({ phase: 'ready', role });
    const sent = this.state.current.waiting.filter(({ isSent }) => isSent);
    for (const prompt of sent) this.#send(prompt);
    this.#next();
  }

  /** The connection is gone: questions come again with the next one. */
  detach(): void {
    this.#agent = undefined;
    this.#session = undefined;
    if (this.state.current.phase !== 'failed') this.state.change({ phase: 'detached', questions: [] });
  }

  /** Sends a prompt, behind the turn that runs and the prompts that wait. */
  prompt(content: readonly ContentBlock[]): void {
    const { waiting } = this.state.current;
    this.state.change({ waiting: [...waiting, { key: crypto.randomUUID(), content, isSent: false }] });
    this.#next();
  }

  /** Takes back a prompt that waits; returns its content. */
  withdraw(key: string): readonly ContentBlock[] | undefined {
    const { waiting } = this.state.current;
    const found = waiting.find((prompt) => prompt.key === key && !prompt.isSent);
    if (found) this.state.change({ waiting: waiting.filter((prompt) => prompt !== found) });
    return found?.content;
  }

  /** Cancels the running turn and has a waiting prompt run next. */
  steer(key: string): void {
    const { waiting } = this.state.current;
    const first = waiting.find((prompt) => prompt.key === key);
    if (!first) return;
    this.state.change({ waiting: [first, ...waiting.filter((prompt) => prompt !== first)] });
    this.cancel();
  }

  /** Cancels the running turn, whichever window sent it. */
  cancel(): void {
    const session = this.#session;
    if (!session) return;
    this.state.change({ isCancelling: true });
    void this.#agent?.peer.notify('session/cancel', { sessionId: session.id }).catch(() => undefined);
  }

  async setMode(modeId: string): Promise<void> {
    await this.#session?.modes?.set(modeId);
    this.#showSettings();
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    await this.#session?.configOptions?.set(id, value);
    this.#showSettings();
  }

  /** Asks the user for a permission. Resolves with undefined when the question was answered elsewhere, or does not matter any more. */
  askPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<PermissionOption | undefined> {
    return this.#ask<PermissionOption | undefined>(signal, undefined, (id, answer) => ({
      type: 'permission',
      id,
      request,
      answer,
    }));
  }

  /** Asks the user a question of the agent. */
  askElicitation(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    return this.#ask<CreateElicitationResponse>(signal, { action: 'cancel' }, (id, answer) => ({
      type: 'elicitation',
      id,
      request,
      answer,
    }));
  }

  /** An event of the log besides updates. */
  receive({ cursor, event }: LoggedEvent): void {
    this.#cursor = cursor;
    this.#record(event);
  }

  #open(agent: Agent): Promise<Session> {
    const listeners = {
      onUpdate: (update: SessionUpdate, context: UpdateContext) => this.#update(update, context),
      onPermission: (event: Omit<TranscriptEvent & { type: 'permission-asked' }, 'at'> | object) => {
        if (!this.#hasLog) this.#record({ at: Date.now(), ...event } as TranscriptEvent);
      },
    };
    const options = { cwd: this.cwd, ...listeners };
    if (this.#id === undefined) return this.#create(agent, options);
    const sessionId = this.#id;
    if (this.#cursor !== undefined && agent.resumeSession)
      return agent.resumeSession({ ...options, sessionId, meta: { turnwire: { after: this.#cursor } } });
    const open = agent.loadSession ?? agent.resumeSession;
    if (!open) throw new TurnwireError('not-advertised', 'The agent can neither load nor resume a session');
    return open({ ...options, sessionId });
  }

  async #create(agent: Agent, options: Parameters<Agent['newSession']>[0]): Promise<Session> {
    const session = await agent.newSession(options);
    this.#id = session.id;
    this.#cursor = gatewayMeta(session.setup._meta).cursor;
    const { modes, configOptions } = session.setup;
    this.#record({ at: Date.now(), type: 'setup', modes: modes ?? null, configOptions: configOptions ?? null });
    return session;
  }

  /** Some of what came after the cursor is gone: the whole session is shown anew. */
  async #loadAgain(agent: Agent): Promise<void> {
    this.#cursor = undefined;
    this.state.change({ view: emptyTranscript() });
    await this.attach(agent);
  }

  #update(update: SessionUpdate, { isReplay, meta }: UpdateContext): void {
    const { cursor, at = Date.now() } = gatewayMeta(meta);
    if (cursor !== undefined) this.#cursor = cursor;
    // What the log replays is the session itself, not a copy that the agent remembers.
    this.#record({ at, type: 'update', update, ...(isReplay && !this.#hasLog && { isReplay }) });
  }

  #record(event: TranscriptEvent): void {
    const { view, ...state } = this.state.current;
    const next = { ...state, view: reduce(view, event) };
    if (event.type === 'prompt') {
      const echoed = JSON.stringify(event.content);
      const place = state.waiting.findIndex(({ isSent, content }) => isSent && JSON.stringify(content) === echoed);
      const waiting = place < 0 ? state.waiting : state.waiting.toSpliced(place, 1);
      this.state.set({ ...next, waiting, workingSince: event.at, isCancelling: false });
    } else if (event.type === 'turn-ended' || event.type === 'turn-failed') {
      const isOver = next.view.turnId === undefined;
      this.state.set(isOver ? { ...next, workingSince: undefined, isCancelling: false } : next);
      this.#next();
    } else this.state.set(next);
  }

  #next(): void {
    const { waiting, view, phase } = this.state.current;
    const [first] = waiting;
    if (phase !== 'ready' || !first || first.isSent || view.turnId !== undefined) return;
    const sent = { ...first, isSent: true };
    this.state.change({ waiting: [sent, ...waiting.slice(1)] });
    this.#send(sent);
  }

  #send({ key, content }: WaitingPrompt): void {
    const session = this.#session;
    if (!session) return;
    const at = Date.now();
    if (!this.#hasLog) this.#record({ at, type: 'prompt', turnId: key, content });
    session.prompt(content, { meta: { turnwire: { key } } }).result.then(
      ({ stopReason }) => {
        if (!this.#hasLog) this.#record({ at: Date.now(), type: 'turn-ended', turnId: key, stopReason });
        this.#forget(key);
      },
      (error: unknown) => {
        // It is sent again on the next connection: by its key it is one turn.
        if (this.#hasLog && error instanceof TurnwireError && error.code === 'connection-closed') return;
        if (!this.#hasLog)
          this.#record({ at: Date.now(), type: 'turn-failed', turnId: key, message: errorText(error) });
        else if (this.#isWaiting(key)) this.#record({ at, type: 'remark', severity: 'error', title: errorText(error) });
        this.#forget(key);
      },
    );
  }

  #isWaiting(key: string): boolean {
    return this.state.current.waiting.some((prompt) => prompt.key === key);
  }

  #forget(key: string): void {
    if (!this.#isWaiting(key)) return;
    this.state.change({ waiting: this.state.current.waiting.filter((prompt) => prompt.key !== key) });
    this.#next();
  }

  #showSettings(): void {
    if (this.#hasLog || !this.#session) return;
    const { modes, configOptions } = this.#session;
    this.#record({
      at: Date.now(),
      type: 'setup',
      modes: modes ? { currentModeId: modes.current, availableModes: [...modes.available] } : null,
      configOptions: configOptions?.list ?? null,
    });
  }

  #ask<Answer>(
    signal: AbortSignal,
    withdrawn: Answer,
    question: (id: number, answer: (given: Answer) => void) => OpenQuestion,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const id = ++lastQuestion;
      const settle = (answer: Answer): void => {
        resolve(answer);
        const { questions } = this.state.current;
        this.state.change({ questions: questions.filter((each) => each.id !== id) });
      };
      signal.addEventListener('abort', () => settle(withdrawn), { once: true });
      this.state.change({ questions: [...this.state.current.questions, question(id, settle)] });
    });
  }
}
