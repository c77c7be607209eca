import type { SessionEvent } from '@turnwire/client/gateway';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import { soon } from '@turnwire/machine/waits';
import type { Answer, Permissions, Question } from '@turnwire/permissions';
import type {
  AgentState,
  AgentWork,
  ListSessionsRequest,
  ListSessionsResponse,
  SessionFork,
  SessionUpdate,
} from '@turnwire/protocol';
import { parked } from '../agent/agent-status.ts';
import type { UpdateOrigin } from '../agent/agent-start.ts';
import { forkPoint } from '../agent/fork-point.ts';
import type { HostedAgent } from '../agent/hosted-agent.ts';
import { SessionLog } from '../log/session-log.ts';
import { openTurn, turnInterrupted } from '../log/turn-history.ts';
import type { SessionLimits } from '../session-limits.ts';
import type { Cursor, SessionClaim, SessionRecord, SessionStore } from '../store/session-store.ts';
import type { AgentForSession } from './agent-access.ts';
import { AgentPace } from './agent-pace.ts';
import { IdleTimer } from './idle-timer.ts';
import { PromptAnswers, type TurnEnd } from './prompt-answers.ts';
import { type AcceptedPrompt, nothingWaits, PromptQueue, type SessionPrompt } from './prompt-queue.ts';
import { Questions } from './questions.ts';
import { RulesInForce } from './rules-in-force.ts';
import { SessionAgent, type Waking } from './session-agent.ts';
import { SessionEnding } from './session-ending.ts';
import { SessionEvents } from './session-events.ts';
import type { SessionFacts } from './session-facts.ts';
import { notSent } from './session-refusals.ts';
import type { SessionRules } from './session-rules.ts';
import { SessionTurns } from './session-turns.ts';
import { StoredRecord } from './stored-record.ts';
import type { ShownSession, Subscriber } from './subscriber.ts';
import { Subscription, type SubscriptionStart } from './subscription.ts';
import { Subscriptions } from './subscriptions.ts';

/** The inputs of a session. */
export interface SessionParts {
  readonly store: SessionStore;
  readonly claim: SessionClaim;
  readonly agent: HostedAgent;
  /** The access of its agents, and perhaps a running one. */
  readonly first: AgentForSession;
  readonly rules: SessionRules;
  readonly limits: SessionLimits;
  /** Throws the error to answer with if the quota of agents or of prompts is used up. */
  readonly admit: (what: 'agent' | 'prompt') => void;
  /** Forgets events once every subscriber has received them. */
  readonly isPassing: boolean;
  /** Called with every event, before it is stored. */
  readonly onEvent: (session: Session, event: SessionEvent) => void;
  /** Called when the session has ended here, by itself or by `close`. */
  readonly onEnded: (session: Session) => void;
}

/**
 * A session: its agent, its only queue of prompts, its only queue of questions, the rules in force, its log, and its subscribers. It outlives its
 * agent, which starts when a prompt needs it, and then restores the session.
 */
export class Session {
  readonly id: string;
  readonly questions: Questions;
  readonly log: SessionLog;
  readonly subscriptions: Subscriptions = new Subscriptions();
  readonly turns: SessionTurns;
  /** The part of the session that subscribers see besides events. The agent's state appears only after the events that led to it are stored. */
  readonly shown: ShownSession = { waiting: nothingWaits, state: parked };
  readonly #parts: SessionParts;
  readonly #rules: RulesInForce;
  readonly #record: StoredRecord;
  readonly #agent: SessionAgent;
  readonly #answers: PromptAnswers;
  readonly #events: SessionEvents;
  readonly #idle: IdleTimer;
  readonly #ending: SessionEnding;

  private constructor(parts: SessionParts) {
    const { store, claim, limits, first, rules, agent: hosted } = parts;
    this.#parts = parts;
    this.id = claim.record.id;
    this.#idle = new IdleTimer({
      time: limits.idle,
      isUsed: () => this.subscriptions.size > 0 || this.turns.areUnderWay || this.#ending.hasBegun,
      onIdle: () => void this.close({ asClosed: false }),
    });
    const onFailed = (error: Error): Promise<void> => this.#ending.fail(error);
    this.#record = new StoredRecord({ store, claim, onFailed });
    this.#ending = new SessionEnding({
      ...{ store, record: this.#record },
      park: () => this.park(),
      endAgent: () => this.#agent.end(),
      onEnded: () => this.#ended(),
    });
    this.log = new SessionLog({
      ...{ store, claim, onFailed, isPassing: parts.isPassing },
      onStored: () => this.subscriptions.notify(),
      haveAll: (upTo) => this.subscriptions.haveAll(upTo),
    });
    this.questions = new Questions(this.subscriptions, { timeout: limits.question, log: this.log });
    const inSession = { log: this.log, questions: this.questions, subscriptions: this.subscriptions };
    const queue = new PromptQueue((waiting) => {
      this.shown.waiting = waiting;
      this.subscriptions.notify();
    });
    // Before the rules: they report a file that cannot be read at once.
    this.#events = new SessionEvents({
      ...{ ...inSession, record: this.#record, queue },
      onEvent: (event) => parts.onEvent(this, event),
    });
    const warn = (title: string): void => this.#events.warn(title);
    const onEvent = (event: TranscriptEvent): void => this.#events.add(event);
    const ask = (question: Question): Promise<Answer> => this.questions.askPermission(question);
    this.#rules = new RulesInForce({ rules, record: claim.record, onWarning: warn, ask });
    this.#agent = new SessionAgent({
      ...{ hosted, first, record: this.#record, rules: this.#rules, silence: limits.silence, onEvent, warn },
      onUpdate: (update, origin) =>
        this.turns.joining > 0 ? later(() => this.#updated(update, origin)) : this.#updated(update, origin),
      onState: () => this.#showState(this.#agent.state),
      onReady: () => this.turns.next(),
      onFailed: (error) => this.turns.failWaiting(error),
      onEnding: () => this.turns.agentEnds(),
    });
    this.turns = new SessionTurns({
      ...{ agent: this.#agent, queue, pace: new AgentPace(this.log, this.subscriptions, parts.isPassing), onEvent },
      beforeTurn: (accepted) => this.#beforeTurn(accepted),
      onEnded: () => this.#rules.current.endTurn(this.#agent.sessionId),
      onChange: () => this.#idle.check(),
    });
    this.#answers = new PromptAnswers({
      ...{ turns: this.turns, log: this.log, ending: this.#ending, warn },
      ...{ mostWaiting: limits.queue, epoch: claim.epoch },
      refuse: () => this.#refuse(),
    });
    first.access.bind({
      ...{ ...inSession, id: this.id, rules: this.#rules, latest: this.#events.latest },
    });
  }

  /** Opens a claimed session. If a turn was running when the last owner ended, logs that it was interrupted; it never runs again. */
  static async open(parts: SessionParts): Promise<Session> {
    const session = new Session(parts);
    const turnId = await openTurn(session.log);
    if (turnId !== undefined)
      session.#events.append({ at: Date.now(), type: 'turn-failed', turnId, message: turnInterrupted });
    await session.log.stored();
    session.#idle.check();
    return session;
  }

  get record(): SessionRecord {
    return this.#record.current;
  }

  get facts(): SessionFacts {
    return this.#record.facts;
  }

  /** The cursor of the last stored event. */
  get head(): Cursor {
    return this.log.head;
  }

  /** Whether the session has an agent at the moment. */
  get isAwake(): boolean {
    return this.#agent.isAwake;
  }

  /** `working`: a turn runs or waits. `asking`: a question waits for an answer. Undefined: neither. */
  get activity(): 'asking' | 'working' | undefined {
    if (this.questions.size > 0) return 'asking';
    return this.turns.areUnderWay ? 'working' : undefined;
  }

  /** The state of the agent: the same object until it changes. */
  get state(): AgentState {
    return this.#agent.state;
  }

  get permissions(): Permissions {
    return this.#rules.current;
  }

  /** `_meta` of the last prompt that began, for the agent. */
  get promptMeta(): SessionPrompt['meta'] {
    return this.#events.latest.prompt?.meta;
  }

  /** Sets how long the session keeps its agent without clients and work, in milliseconds, instead of the limit of the gateway. */
  keepFor(idle: number): void {
    this.#idle.time = idle;
    this.#idle.check();
  }

  /** Returns the events that the next client needs to receive because no client read them. Each is returned once. */
  takeMissed(): readonly SessionEvent[] {
    return this.#events.missed.take();
  }

  /** Changes the title, which every client sees. */
  rename(title: string): void {
    this.#events.add({ at: Date.now(), type: 'update', update: { sessionUpdate: 'session_info_update', title } });
  }

  /** Starts the agent and opens the session with it, unless that was done. Rejects with the reason of a failure. */
  async wake(how?: Waking): Promise<void> {
    this.#refuse();
    await this.#idle.during(() => this.#agent.wake(how));
    await this.log.stored();
  }

  /** Ends the agent, if it runs, and starts it with the session. Rejects with the reason of a failure. */
  async restart(): Promise<void> {
    this.#refuse();
    await this.#agent.restart();
    await this.log.stored();
  }

  /** Logs in at the agent, which runs. Opens the session if it waited for that. */
  async authenticate(methodId: string): Promise<void> {
    await this.#agent.authenticate(methodId);
    await this.log.stored();
  }

  /** Logs out of the agent, if it runs and has a logout. */
  async logOut(): Promise<void> {
    await this.#agent.agent?.logout?.();
  }

  /** Asks the agent to cancel a tool call, a terminal or a child session. Rejects with the reason if it cannot. */
  cancelWork(work: AgentWork): Promise<void> {
    return this.#agent.cancelWork(work);
  }

  /** Returns a page of the sessions that the agent itself has in a folder, without this one. */
  ownSessions(query: ListSessionsRequest): Promise<ListSessionsResponse> {
    return this.#agent.ownSessions(query);
  }

  /** Subscribes to the events after a cursor, at first up to the head: see {@link Subscription.goLive}. `gap`: why some of those events are missing. */
  async subscribe(
    subscriber: Subscriber,
    { after, begins }: SubscriptionStart,
  ): Promise<{ readonly subscription: Subscription; readonly gap?: 'trimmed' | 'unknown' }> {
    return this.#idle.during(async () => {
      const { gap, start } = await this.log.startAfter(after);
      const subscription = new Subscription(
        {
          ...{ subscriber, log: this.log, shown: this.shown },
          onCaughtUp: (each) => this.questions.offerTo(each),
          onEnded: (each) => {
            this.subscriptions.delete(each);
            subscriber.ended?.(each);
            this.#idle.check();
          },
        },
        { after: start, begins },
      );
      this.subscriptions.add(subscription);
      return { subscription, ...(gap && { gap }) };
    });
  }

  /** Runs a turn, after those before it. Rejects with the ProtocolError to answer with. */
  prompt(prompt: SessionPrompt): Promise<TurnEnd> {
    this.#parts.admit('prompt');
    return this.#answers.answer(prompt);
  }

  /** The agent, for requests of a client, which start it. Throws if the session may not have one. */
  get agent(): Pick<SessionAgent, 'setMode' | 'setModel' | 'setConfigOption' | 'call'> {
    this.#refuse();
    return this.#agent;
  }

  /** Asks the agent for a new session that begins with the history of this one. */
  async fork(meta: Readonly<Record<string, unknown>> | undefined): Promise<SessionFork> {
    this.#refuse();
    const { forksAfterMessage } = this.#parts.agent.differences ?? {};
    return this.#agent.fork(forksAfterMessage === true ? await forkPoint(this.log, meta) : meta);
  }

  /** Ends the agent. The session stays in the store, and continues with the next prompt. */
  async park(): Promise<void> {
    this.#idle.stop();
    await this.#agent.end();
    await this.log.stored();
    await this.#record.saved;
  }

  /** Closes the session for one client. The last one closes it for all. */
  async closeFor(subscription: Subscription): Promise<void> {
    if (this.subscriptions.areOnly(subscription)) await this.close({ asClosed: true });
    else subscription.end();
  }

  /**
   * Ends the agent, and detaches every client. Deletes a session that was never prompted.
   * @param how `asClosed`: records that a client closed the session
   */
  close(how: { readonly asClosed: boolean }): Promise<void> {
    return this.#ending.close(how);
  }

  /** Resolves when the session, which is ending, has ended here; undefined: it is not ending. */
  get ending(): Promise<void> | undefined {
    return this.#ending.underWay;
  }

  /** Throws if the session has ended, cannot be stored, or may not start an agent. */
  #refuse(): void {
    this.#ending.refuse();
    if (!this.#agent.isAwake) this.#parts.admit('agent');
  }

  async #beforeTurn({ prompt, decisions, limited, acceptedAt }: AcceptedPrompt): Promise<void> {
    if (prompt.failsIfLost && (this.facts.contextLostAt ?? 0) >= acceptedAt) throw notSent();
    const stop = (message: string): void => limited.stop({ reason: 'rules', message });
    this.#rules.begin({ given: prompt.rules, decisions, stop });
    this.#agent.warnIfItNeverAsks();
    await this.#agent.ensureAsking();
  }

  #updated(update: SessionUpdate, { isReplay, said }: UpdateOrigin): Promise<void> | undefined {
    const event = { at: Date.now(), type: 'update', update } as const;
    const isPlain = !isReplay && said === undefined;
    this.#events.add(
      isPlain ? event : { ...event, ...(isReplay && { isReplay }), ...(said !== undefined && { said }) },
    );
    if (isReplay) return undefined;
    const isToolCall = update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update';
    const unasked = isToolCall && this.#rules.current.observe(this.#agent.sessionId ?? '', update);
    if (unasked) this.#events.add({ at: Date.now(), type: 'ran-unasked', ...unasked });
    return this.turns.updated(update);
  }

  /** Shows a state once the events so far are stored. */
  #showState(state: AgentState): void {
    this.log.onceStored(() => {
      if (this.shown.state === state) return;
      this.shown.state = state;
      this.subscriptions.notify();
    });
  }

  #ended(): void {
    this.#idle.stop();
    this.subscriptions.end();
    this.#parts.onEnded(this);
  }
}

/** Does something after the work that is due now. */
function later(work: () => Promise<void> | undefined): Promise<void> {
  return new Promise<void>((resolve) => soon(resolve)).then(work);
}
