import {
  TurnwireError,
  type AvailableCommand,
  type ContentBlock,
  type Log,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
  type UsageUpdate,
} from '@turnwire/protocol';
import type { CallOptions, LoginRetry, PeerConnection } from './connection.ts';
import type { NewSessionOptions } from './session-options.ts';
import { isStateUpdate } from '../transcript/state-updates.ts';
import type { Timeouts } from './timeouts.ts';
import { SilenceWatch } from './silence-watch.ts';
import type { PermissionPolicy } from '../permission/permission-policy.ts';
import type { MessageLoss } from './message-loss.ts';
import { PermissionBroker } from './permission-broker.ts';
import type { SessionWork } from './session-work.ts';
import { ToolCallFacts } from './tool-call-facts.ts';
import type { PromptOptions, Session, UpdateContext } from './session.ts';
import {
  type ConfigChoice,
  choiceParams,
  modeChoice,
  type SessionConfigOptions,
  sessionConfigOptions,
} from './session-config-options.ts';
import { type SessionModes, sessionModes } from './session-modes.ts';
import { type SessionDetails, SessionState } from './session-state.ts';
import { TurnSignals, type Withdrawable } from './turn-signals.ts';
import { PromptTurn, type Turn } from './turn.ts';

/** The parts that all sessions of a connection share. */
export interface SharedParts {
  readonly connection: PeerConnection;
  readonly permission: PermissionPolicy;
  readonly log?: Log | undefined;
  readonly timeouts: Timeouts;
  readonly login: LoginRetry;
  /** Makes the record of a session's child sessions. Absent: they are ignored. */
  readonly work?: (() => SessionWork) | undefined;
  /** Keys for `_meta` of the next prompt. */
  readonly promptMeta: () => Readonly<Record<string, unknown>> | undefined;
}

/** The inputs of a session. */
export interface SessionParts {
  readonly shared: SharedParts;
  readonly id: string;
  readonly cwd: string;
  /** All its folders, `cwd` first. */
  readonly roots: readonly string[];
  /** Their real paths when the session began, symbolic links resolved. */
  readonly realRoots: readonly (string | undefined)[] | undefined;
  readonly listeners: Listeners;
  /** Updates until {@link AgentSession.begin} are a replay. */
  readonly isReplay: boolean;
  /** Closes the session at the agent. Absent: the agent does not support it. */
  readonly close?: (() => Promise<void>) | undefined;
}

type Listeners = Pick<
  NewSessionOptions,
  'onUpdate' | 'onChildUpdate' | 'onPermission' | 'onFeedback' | 'onMessageLost' | 'onSilence' | 'silence'
>;

/** An update from the agent. `said`: as in {@link UpdateContext}. */
export type DeliveredUpdate = SessionNotification & Pick<UpdateContext, 'said'>;

/** A prompt as it is sent. */
interface SentPrompt {
  readonly content: readonly ContentBlock[];
  readonly meta: PromptOptions['meta'];
}

/** The client's side of a session. */
export class AgentSession implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly realRoots: readonly (string | undefined)[] | undefined;
  declare readonly close?: () => Promise<void>;
  readonly #shared: SharedParts;
  readonly #listeners: Listeners;
  readonly #state = new SessionState();
  readonly #calls = new ToolCallFacts();
  readonly #work: SessionWork | undefined;
  readonly #permissions: PermissionBroker;
  readonly #signals = new TurnSignals();
  #setup: NewSessionResponse;
  #isReplay: boolean;
  #isClosed = false;
  #running: PromptTurn | undefined;
  /** Whether the prompt was sent to the agent, as opposed to waiting for a login. */
  #isSent = false;
  #silence: SilenceWatch | undefined;
  /** The number of the agent's requests that this side has not answered. */
  #owed = 0;

  constructor(parts: SessionParts) {
    const { shared, id, cwd, roots, listeners, close } = parts;
    this.id = id;
    this.cwd = cwd;
    this.roots = roots;
    this.realRoots = parts.realRoots;
    this.#shared = shared;
    this.#listeners = listeners;
    this.#setup = { sessionId: id };
    this.#isReplay = parts.isReplay;
    const { permission: policy, log } = shared;
    this.#work = shared.work?.();
    const { onPermission, onFeedback } = listeners;
    this.#permissions = new PermissionBroker({ policy, roots, onPermission, onFeedback, log });
    if (!close) return;
    this.close = async () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      void this.cancel();
      this.#permissions.cancel(true);
      await close();
    };
  }

  get setup(): NewSessionResponse {
    return this.#setup;
  }

  get modes(): SessionModes | undefined {
    const { modes } = this.#state;
    return modes && sessionModes(modes, (modeId) => this.#setMode(modeId));
  }

  get configOptions(): SessionConfigOptions | undefined {
    const { configOptions } = this.#state;
    return configOptions && sessionConfigOptions(configOptions, (choice) => this.#choose(choice));
  }

  get commands(): readonly AvailableCommand[] {
    return this.#state.commands;
  }

  get info(): SessionDetails {
    return this.#state.details;
  }

  get usage(): UsageUpdate | undefined {
    return this.#state.usage;
  }

  /** Marks later updates as new, because the agent has answered. */
  endReplay(): void {
    this.#isReplay = false;
  }

  /** Applies the answer that set the session up. */
  begin(setup: Omit<NewSessionResponse, 'sessionId'>): void {
    this.#setup = { ...setup, sessionId: this.id };
    this.#state.begin(setup);
  }

  prompt(prompt: string | readonly ContentBlock[], { meta }: PromptOptions = {}): Turn {
    const turn = new PromptTurn((cancelled) => this.#cancel(cancelled));
    const content: readonly ContentBlock[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    if (this.#isClosed) turn.fail(sessionClosed(this.id));
    else if (this.#running) turn.fail(busy(this.id));
    else this.#run(turn, { content, meta });
    return turn;
  }

  async cancel(): Promise<void> {
    await this.#running?.cancel().catch(() => undefined);
  }

  hasChild(sessionId: string): boolean {
    return this.#work?.hasChild(sessionId) ?? false;
  }

  /** Processes an update from the agent about this session or a child. */
  deliver(delivered: DeliveredUpdate): Promise<void> | undefined {
    // The answer that ends a replay may be read together with later updates, and is handled a moment later.
    return this.#isReplay ? Promise.resolve().then(() => this.#receive(delivered)) : this.#receive(delivered);
  }

  /** Answers a permission request of this session or a child. */
  decide(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const asked = this.#work?.asked(request);
    const isCancelled = (this.#running?.isCancelled ?? false) && !asked?.continues();
    return this.serve(() => this.#permissions.answer(request, { signal, isCancelled, calls: this.#calls, ...asked }));
  }

  /** Records a message that could not be read. It may have belonged to another session. */
  lose(loss: MessageLoss): void {
    this.#running?.lose(loss);
    this.#listeners.onMessageLost?.(loss);
  }

  /** Handles a request of the agent, which does not count as silent until then. */
  async serve<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    if (this.#running) this.#running.hasBegun = true;
    this.#owed++;
    try {
      return await work();
    } finally {
      this.#owed--;
      this.#silence?.received();
    }
  }

  /** Handles a request that no longer matters once the turn is cancelled or has ended. */
  serveTurn<Value>(signal: AbortSignal, work: Withdrawable<Value>): Promise<Value> {
    const isCancelled = this.#running?.isCancelled ?? false;
    return this.serve(() => (isCancelled ? work.withdrawn() : this.#signals.run(signal, work)));
  }

  #receive({ sessionId, update, _meta, said }: DeliveredUpdate): Promise<void> | undefined {
    const child = sessionId === this.id ? undefined : sessionId;
    const context: UpdateContext = {
      isReplay: this.#isReplay,
      meta: _meta ?? undefined,
      ...(said !== undefined && { said }),
    };
    this.#work?.note(update, child);
    this.#silence?.received();
    return child === undefined
      ? this.#receiveOwn(update, context)
      : (this.#listeners.onChildUpdate?.(child, update, context) ?? undefined);
  }

  #receiveOwn(update: SessionUpdate, context: UpdateContext): Promise<void> | undefined {
    this.#state.note(update);
    this.#calls.note(update);
    // An update about the session is not a part of the work on the prompt.
    if (this.#running && update.sessionUpdate !== 'user_message_chunk' && !isStateUpdate(update))
      this.#running.hasBegun = true;
    // First, so that a listener that fails takes no update away from the turn.
    const taken = this.#running?.updates.put(update);
    const handled = this.#listeners.onUpdate?.(update, context);
    return handled ? handled.then(() => taken) : taken;
  }

  #run(turn: PromptTurn, prompt: SentPrompt): void {
    const givingUp = new AbortController();
    this.#running = turn;
    const { onSilence, silence = this.#shared.timeouts.silence } = this.#listeners;
    this.#silence = new SilenceWatch(silence, (silentSince) => {
      // While the agent waits for an answer of this side, it does not count as silent.
      if (silentSince !== undefined && this.#owed > 0) this.#silence?.forgive();
      else onSilence?.(turn, silentSince);
    });
    const over = (): void => {
      if (this.#running !== turn) return;
      // A cancel is sent again to an agent that ignored one, so that nothing waits for its answer indefinitely.
      givingUp.abort();
      this.#silence?.[Symbol.dispose]();
      this.#silence = undefined;
      this.#running = undefined;
    };
    // Callers may send the next prompt as soon as they see the result.
    turn.onEnd = over;
    this.#ask(turn, { prompt, options: { signal: givingUp.signal } }).then(
      (result) => turn.succeed(result),
      (error: unknown) => turn.fail(error),
    );
    // A request that was read together with the answer has the time to be decided.
    void turn.result
      .catch(() => undefined)
      .then(() => {
        this.#permissions.cancel();
        this.#signals.abort();
        // The tool calls end with the turn, whether the agent has reported that or not. Those in the background continue.
        this.#calls.clear((id) => this.#work?.isInBackground(id));
      });
  }

  #ask(
    turn: PromptTurn,
    { prompt: { content, meta }, options }: { readonly prompt: SentPrompt; readonly options: CallOptions },
  ): Promise<PromptResponse> {
    const attempt = async (): Promise<PromptResponse> => {
      this.#isSent = true;
      try {
        const common = this.#shared.promptMeta();
        const _meta = (common || meta) && { ...common, ...meta };
        const params = { sessionId: this.id, prompt: [...content], ...(_meta && { _meta }) };
        return await this.#shared.connection.request('session/prompt', params, options);
      } finally {
        this.#isSent = false;
      }
    };
    return this.#shared.login(attempt, () => !turn.hasBegun && !turn.isCancelled);
  }

  #cancel(turn: PromptTurn): void {
    if (turn !== this.#running) return;
    this.#permissions.cancel();
    this.#signals.abort();
    if (!this.#isSent) return turn.succeed({ stopReason: 'cancelled' });
    void this.#shared.connection.notify('session/cancel', { sessionId: this.id }).catch(() => undefined);
    const limit = this.#shared.timeouts.cancel;
    const timer = setTimeout(() => turn.fail(notHonoured(limit)), limit);
    void turn.result.catch(() => undefined).then(() => clearTimeout(timer));
  }

  async #setMode(modeId: string): Promise<void> {
    const { connection, timeouts } = this.#shared;
    // Agents with both have modes only for clients that do not support options.
    const choice = modeChoice(this.#state.configOptions ?? [], modeId);
    if (choice !== undefined) await this.#choose(choice);
    else await connection.request('session/set_mode', { sessionId: this.id, modeId }, { timeout: timeouts.set });
    this.#state.changeMode(modeId);
  }

  async #choose(choice: ConfigChoice): Promise<void> {
    const { connection, timeouts } = this.#shared;
    const params = choiceParams(this.id, choice);
    const answer = await connection.request('session/set_config_option', params, { timeout: timeouts.set });
    this.#state.chosen(choice, answer.configOptions);
  }
}

function notHonoured(limit: number): TurnwireError {
  return new TurnwireError(
    'timeout',
    `The agent did not end the cancelled turn within ${limit / 1000} s; close the agent and start it again`,
  );
}

function sessionClosed(id: string): TurnwireError {
  return new TurnwireError('cancelled', `The session ${id} was closed; load or resume it, or create a new one`);
}

function busy(id: string): TurnwireError {
  return new TurnwireError('busy', `A turn of the session ${id} is running: wait for its end, or cancel it`);
}
