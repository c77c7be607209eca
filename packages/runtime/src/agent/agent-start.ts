import type {
  Agent,
  ChildUpdateListener,
  HostTerminals,
  NewSessionOptions,
  Session,
  UpdateContext,
  UpdateListener,
} from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import { type Retry, type RetryOptions, withRetry } from '@turnwire/client/retry';
import { type AgentState, type SessionUpdate, TurnwireError } from '@turnwire/protocol';
import { closed, endOf, isLoginNeeded, isLost, mayPass } from './endings.ts';
import { LateReplay } from './late-replay.ts';
import { LoadWait } from './load-wait.ts';
import { Reconnecting, type ReconnectOptions } from './reconnecting.ts';
import { type OpenedSession, restoreSession } from './restore-session.ts';

/** Retries when an agent ends or does not answer during its start. */
type StartRetry = Pick<RetryOptions, 'attempts' | 'jitter' | 'conditions' | 'sleep' | 'random'>;

/** How an agent is started and its session opened. */
export interface StartOptions {
  /** Starts and initializes the agent; called again for every restart. */
  readonly start: (signal: AbortSignal) => Promise<Agent>;
  /** Restores this stored session instead of creating a new one. */
  readonly sessionId?: string | undefined;
  /** This side knows the history of the session, so it does not need the agent's replay. */
  readonly isKnown: boolean;
  /** The reaction to a session that the agent cannot restore at the first start. After a restart a new one begins, behind a boundary. */
  readonly ifLost: 'fail' | 'begin';
  /** Released with the session. */
  readonly terminals?: Pick<HostTerminals, 'releaseAll'> | undefined;
  /** When the stored session was last created or loaded, in milliseconds since 1970. Default: unknown, which counts as just now. */
  readonly setUpAt?: number | undefined;
  /**
   * For an agent that cannot load a session too soon: returns the earliest time for `session/load`, given the time the session was last
   * created or loaded; both in milliseconds since 1970. Default: at once.
   */
  readonly loadNotBefore?: ((setUpAt: number) => number) | undefined;
  /**
   * For an agent that answers `session/load` before it replays the session: messages and tool calls until the first prompt are replay, too,
   * and the session is ready once no updates have arrived for a moment. Default: false.
   */
  readonly replaysLate?: boolean | undefined;
  /** Default: no retries. */
  readonly retry?: StartRetry | undefined;
  /** How a broken connection is made again. Failures that would repeat, such as a missing login, end the attempts. Default: it stays broken. */
  readonly reconnect?: ReconnectOptions | undefined;
  /** Aborts when the agent is ended. */
  readonly signal: AbortSignal;
  /** Returns the options of the session, for every way of setting it up. */
  readonly sessionOptions: (
    listeners: Required<Pick<NewSessionOptions, 'onUpdate' | 'onChildUpdate'>>,
  ) => NewSessionOptions;
  readonly onState: (state: AgentState) => void;
  readonly onNotice: (severity: 'info' | 'warning', title: string, description: string) => void;
  /** A returned promise delays the next update. */
  readonly onUpdate: (update: SessionUpdate, origin: UpdateOrigin) => Promise<void> | undefined;
  readonly onChildUpdate: (child: string, update: SessionUpdate, origin: UpdateOrigin) => void;
  /** Called with the open session. The start is over when the promise resolves. */
  readonly onOpened: (opened: OpenedSession) => Promise<void>;
  /** Called with the reason when the agent ended by itself. */
  readonly onEnded: (message: string) => void;
}

/** Whether an update is part of a replay, and the update of version 2 that the agent sent. */
export type UpdateOrigin = Pick<UpdateContext, 'isReplay' | 'said'>;

/** A start of an agent. */
interface Start {
  readonly isRestart: boolean;
  /** The reason for another start, as a sentence. Default: the agent was restarted. */
  readonly because?: string;
}

/** Starts an agent and opens its session, the first time and again after the agent or the connection to it has ended. */
export class AgentStart {
  /** The connection to the agent; undefined while it does not run. */
  agent: Agent | undefined;
  /** The session at the agent; undefined until it is open. */
  session: Session | undefined;
  /** The agent's id of the session. */
  sessionId: string | undefined;
  readonly #options: StartOptions;
  readonly #loadWait: LoadWait | undefined;
  readonly #reconnecting: Reconnecting | undefined;
  #lateReplay: LateReplay | undefined;

  constructor(options: StartOptions) {
    this.#options = options;
    this.sessionId = options.sessionId;
    const { loadNotBefore, setUpAt, reconnect } = options;
    this.#loadWait = loadNotBefore && new LoadWait(loadNotBefore, setUpAt);
    this.#reconnecting = reconnect && new Reconnecting(reconnect);
  }

  /** Whether a broken connection is made again. */
  get reconnects(): boolean {
    return this.#reconnecting !== undefined;
  }

  /** Starts the agent and opens the session; with the option `retry`, again after passing errors. */
  async begin(isRestart: boolean): Promise<void> {
    const { retry, signal, onNotice } = this.#options;
    if (!retry) return this.#start({ isRestart });
    const onRetry = ({ error, delay }: Retry): void =>
      onNotice('warning', `The agent did not start; trying again in ${Math.round(delay / 1000)} s`, errorText(error));
    await withRetry(() => this.#start({ isRestart }), { onRetry, ...retry, signal, method: 'initialize' });
  }

  /** Ends the agent and starts it again. */
  async beginAgain(): Promise<void> {
    this.#options.onState({ name: 'starting', since: Date.now() });
    await this.endAgent();
    await this.begin(true);
  }

  /**
   * Makes a broken connection again, with growing delays. Rejects after the last attempt.
   * @param message how the connection broke
   */
  async reconnect(message: string): Promise<void> {
    const { signal, onState } = this.#options;
    const reconnecting = this.#reconnecting;
    let failure: unknown = new TurnwireError('connection-closed', message);
    reconnecting?.broke();
    for (let next = reconnecting?.next(); reconnecting && next; next = reconnecting.next()) {
      onState({ name: 'reconnecting', ...next, message: errorText(failure) });
      await reconnecting.due(next, signal);
      if (signal.aborted) throw closed();
      onState({ name: 'starting', since: Date.now() });
      await this.endAgent();
      try {
        return await this.#start({ isRestart: true, because: 'The connection to the agent broke and was restored.' });
      } catch (error) {
        failure = error;
        if (!mayPass(error)) break;
      }
    }
    throw failure;
  }

  /** Makes the pending attempt to reconnect at once. */
  reconnectNow(): void {
    this.#reconnecting?.reconnectNow();
  }

  /** Opens the session after a login that it waited for. */
  async continue(agent: Agent): Promise<void> {
    await this.#setUp(agent, { isRestart: this.session !== undefined });
  }

  /** Counts later updates as new, not as a replay. */
  endReplay(): void {
    this.#lateReplay = undefined;
  }

  async endAgent(): Promise<void> {
    await this.agent?.close();
    if (this.sessionId !== undefined) await this.#options.terminals?.releaseAll(this.sessionId);
  }

  async #start(how: Start): Promise<void> {
    const { start, signal, onEnded } = this.#options;
    const agent = await start(signal);
    this.agent = agent;
    void agent.closed.then(({ error }) => {
      if (agent !== this.agent) return;
      this.agent = undefined;
      onEnded(error?.message ?? 'The agent ended the connection.');
    });
    try {
      await this.#setUp(agent, how);
    } catch (error) {
      if (isLoginNeeded(error)) throw error;
      if (agent === this.agent) this.agent = undefined;
      await agent.close();
      throw error;
    }
  }

  async #setUp(agent: Agent, { isRestart, because }: Start): Promise<void> {
    const { replaysLate, ifLost, signal, sessionOptions, onOpened } = this.#options;
    const isKnown = isRestart || this.#options.isKnown;
    const replay = replaysLate && this.sessionId !== undefined ? new LateReplay() : undefined;
    this.#lateReplay = replay;
    const opened = await restoreSession(agent, {
      sessionId: this.sessionId,
      isKnown,
      because,
      mayCreate: (error) => (isRestart ? because === undefined || isLost(error) : ifLost === 'begin'),
      options: sessionOptions(this.#listeners(isKnown)),
      beforeLoad: async () => this.#loadWait && this.#waitToLoad(agent, this.#loadWait),
    });
    this.#loadWait?.setUp();
    if (opened.by === 'load') await replay?.settled(signal);
    else this.#lateReplay = undefined;
    if (signal.aborted) throw closed();
    this.session = opened.session;
    this.sessionId = opened.session.id;
    this.#reconnecting?.made();
    await onOpened(opened);
  }

  /** Drops the replay of a history that this side knows. */
  #listeners(isKnown: boolean): { readonly onUpdate: UpdateListener; readonly onChildUpdate: ChildUpdateListener } {
    const { onUpdate, onChildUpdate } = this.#options;
    return {
      onUpdate: (update, context) => {
        const isReplay = context.isReplay || (this.#lateReplay?.receive(update) ?? false);
        return isReplay && isKnown ? undefined : onUpdate(update, { isReplay, said: context.said });
      },
      onChildUpdate: (child, update, context) => {
        const isReplay = context.isReplay || this.#lateReplay !== undefined;
        if (!isReplay || !isKnown) onChildUpdate(child, update, { isReplay, said: context.said });
      },
    };
  }

  async #waitToLoad(agent: Agent, loadWait: LoadWait): Promise<void> {
    const { signal, onState, onNotice } = this.#options;
    const waiting = loadWait.begin();
    if (waiting) {
      const { until, title, description } = waiting;
      onNotice('info', title, description);
      onState({ name: 'starting', since: Date.now(), waiting: { until, reason: title } });
      await loadWait.over(until, endOf(agent, signal));
      if (signal.aborted) throw closed();
      onState({ name: 'starting', since: Date.now() });
    }
    loadWait.setUp();
  }
}
