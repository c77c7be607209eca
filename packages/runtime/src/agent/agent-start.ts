import {
  type Agent,
  errorText,
  type HostTerminals,
  type NewSessionOptions,
  type Session,
  type UpdateListener,
} from '@turnwire/client';
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
  /** Its history is known here, so the agent's replay is not needed. */
  readonly isKnown: boolean;
  /** The reaction to a session that the agent cannot restore at the first start. After a restart a new one begins, behind a boundary. */
  readonly ifLost: 'fail' | 'begin-anew';
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
   * and the session is ready once no updates have come for a moment. Default: false.
   */
  readonly replaysLate?: boolean | undefined;
  /** Default: no retries. */
  readonly retry?: StartRetry | undefined;
  /** A connection that breaks is made again. Failures that would repeat, such as a missing login, end the attempts. Default: none are made. */
  readonly reconnect?: ReconnectOptions | undefined;
}

/** How often, and why, an agent is started. */
export interface Start {
  readonly isRestart: boolean;
  /** Why it is started again, as a sentence. Default: the agent was restarted. */
  readonly because?: string;
}

/** Receives what happens while an agent starts, and after that. */
export interface StartListener {
  /** Aborts when the agent is ended. */
  untilClosed(): AbortSignal;
  /** What every way of setting up the session is given. */
  sessionOptions(onUpdate: UpdateListener): NewSessionOptions;
  setState(state: AgentState): void;
  remark(severity: 'info' | 'warning', title: string, description: string): void;
  update(update: SessionUpdate, isReplay: boolean): Promise<void> | undefined;
  /** The session is there. The start is over when this resolves. */
  sessionOpened(opened: OpenedSession): Promise<void>;
  /** The agent is gone without having been asked to leave. */
  agentEnded(message: string): void;
}

/** Starts an agent and opens its session, the first time and again after the agent or the connection to it has ended. */
export class AgentStart {
  agent: Agent | undefined;
  session: Session | undefined;
  sessionId: string | undefined;
  readonly #options: StartOptions;
  readonly #listener: StartListener;
  readonly #loadWait: LoadWait;
  readonly #reconnecting: Reconnecting | undefined;
  #lateReplay: LateReplay | undefined;

  constructor(options: StartOptions, listener: StartListener) {
    this.#options = options;
    this.#listener = listener;
    this.sessionId = options.sessionId;
    this.#loadWait = new LoadWait(options);
    this.#reconnecting = options.reconnect && new Reconnecting(options.reconnect);
  }

  /** True if a broken connection is made again. */
  get reconnects(): boolean {
    return this.#reconnecting !== undefined;
  }

  /** Starts the agent and opens the session; again after errors that may pass, if that is an option. */
  async begin(how: Start): Promise<void> {
    const { retry } = this.#options;
    if (!retry) return this.#start(how);
    const onRetry = ({ error, delay }: Retry): void => {
      const title = `The agent did not start; trying again in ${Math.round(delay / 1000)} s`;
      this.#listener.remark('warning', title, errorText(error));
    };
    await withRetry(() => this.#start(how), {
      onRetry,
      ...retry,
      signal: this.#listener.untilClosed(),
      method: 'initialize',
    });
  }

  /** Ends the agent and starts it again. */
  async beginAgain(): Promise<void> {
    this.#listener.setState({ name: 'starting', since: Date.now() });
    await this.endAgent();
    await this.begin({ isRestart: true });
  }

  /** Makes a broken connection again, with delays that grow. `message`: how it broke. Rejects after the last attempt. */
  async reconnect(message: string): Promise<void> {
    const reconnecting = this.#reconnecting;
    let failure: unknown = new TurnwireError('connection-closed', message);
    reconnecting?.broke();
    for (let next = reconnecting?.next(); reconnecting && next; next = reconnecting.next()) {
      this.#listener.setState({ name: 'reconnecting', ...next, message: errorText(failure) });
      await reconnecting.due(next, this.#listener.untilClosed());
      this.#unlessClosed();
      this.#listener.setState({ name: 'starting', since: Date.now() });
      await this.endAgent();
      try {
        return await this.#start({ isRestart: true, because: 'The connection to the agent broke and was made again.' });
      } catch (error) {
        failure = error;
        if (!mayPass(error)) break;
      }
    }
    throw failure;
  }

  /** Makes the attempt to reconnect that is waited for at once. */
  hurry(): void {
    this.#reconnecting?.hurry();
  }

  /** Opens the session after a login, where the set-up has been waiting for it. */
  async continue(agent: Agent): Promise<void> {
    await this.#setUp(agent, { isRestart: this.session !== undefined });
  }

  /** What comes from now on belongs to no replay. */
  endReplay(): void {
    this.#lateReplay = undefined;
  }

  async endAgent(): Promise<void> {
    await this.agent?.close();
    if (this.sessionId !== undefined) await this.#options.terminals?.releaseAll(this.sessionId);
  }

  async #start(how: Start): Promise<void> {
    const agent = await this.#options.start(this.#listener.untilClosed());
    this.agent = agent;
    void agent.closed.then(({ error }) => {
      if (agent !== this.agent) return;
      this.agent = undefined;
      this.#listener.agentEnded(error?.message ?? 'The agent ended the connection.');
    });
    try {
      await this.#setUp(agent, how);
    } catch (error) {
      if (!isLoginNeeded(error)) await this.#dismiss(agent);
      throw error;
    }
  }

  async #dismiss(agent: Agent): Promise<void> {
    if (agent === this.agent) this.agent = undefined;
    await agent.close();
  }

  async #setUp(agent: Agent, { isRestart, because }: Start): Promise<void> {
    const isKnown = isRestart || this.#options.isKnown;
    const replay = this.#options.replaysLate && this.sessionId !== undefined ? new LateReplay() : undefined;
    this.#lateReplay = replay;
    const opened = await restoreSession(agent, {
      sessionId: this.sessionId,
      isKnown,
      because,
      mayCreate: (error) =>
        isRestart ? because === undefined || isLost(error) : this.#options.ifLost === 'begin-anew',
      options: this.#listener.sessionOptions(this.#onUpdate(isKnown)),
      beforeLoad: () => this.#waitToLoad(agent),
    });
    this.#loadWait.setUp();
    if (opened.by === 'load') await replay?.settled(this.#listener.untilClosed());
    else this.#lateReplay = undefined;
    this.#unlessClosed();
    this.session = opened.session;
    this.sessionId = opened.session.id;
    this.#reconnecting?.made();
    await this.#listener.sessionOpened(opened);
  }

  #onUpdate(isKnown: boolean): UpdateListener {
    return (update, context) => {
      const isReplay = context.isReplay || (this.#lateReplay?.receive(update) ?? false);
      return isReplay && isKnown ? undefined : this.#listener.update(update, isReplay);
    };
  }

  async #waitToLoad(agent: Agent): Promise<void> {
    const waiting = this.#loadWait.begin();
    if (waiting) {
      const { until, title, description } = waiting;
      this.#listener.remark('info', title, description);
      this.#listener.setState({ name: 'starting', since: Date.now(), waiting: { until, reason: title } });
      await this.#loadWait.over(until, endOf(agent, this.#listener.untilClosed()));
      this.#unlessClosed();
      this.#listener.setState({ name: 'starting', since: Date.now() });
    }
    this.#loadWait.setUp();
  }

  #unlessClosed(): void {
    if (this.#listener.untilClosed().aborted) throw closed();
  }
}
