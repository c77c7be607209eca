import type { TranscriptEvent } from '@turnwire/client/transcript';
import type {
  AgentState,
  ListSessionsRequest,
  ListSessionsResponse,
  ProtocolError,
  SessionFork,
  SessionUpdate,
  WaitingPrompt,
} from '@turnwire/protocol';
import { soon } from '@turnwire/machine/waits';
import type { Permissions } from '@turnwire/permissions';
import { closed } from '../agent/endings.ts';
import { forkPoint } from '../agent/fork-point.ts';
import type { HostedAgent } from '../agent/hosted-agent.ts';
import type { SessionEvent } from '@turnwire/client/gateway';
import { SessionLog } from '../log/session-log.ts';
import { openTurn, turnInterrupted } from '../log/turn-history.ts';
import type { SessionLimits } from '../session-limits.ts';
import type { Cursor, SessionClaim, SessionRecord, SessionStore } from '../store/session-store.ts';
import type { AgentForSession } from './agent-access.ts';
import { AskedClients } from './asked-clients.ts';
import { noteEvent, notePrompt } from './event-notes.ts';
import { IdleTimer } from './idle-timer.ts';
import { MissedEvents } from './missed-events.ts';
import type { GivenPrompt, Prompted } from './prompt-queue.ts';
import { Questions } from './questions.ts';
import { RulesInForce } from './rules-in-force.ts';
import { SessionAgent, type Waking } from './session-agent.ts';
import { SessionEnding } from './session-ending.ts';
import type { SessionFacts } from './session-facts.ts';
import { notSent } from './session-refusals.ts';
import type { SessionRules } from './session-rules.ts';
import { promptKey, SessionTurns, type TurnEnd } from './session-turns.ts';
import { StoredRecord } from './stored-record.ts';
import type { Subscriber } from './subscriber.ts';
import { Subscription, type SubscriptionStart } from './subscription.ts';
import { Subscriptions } from './subscriptions.ts';

/** What a session is made with. */
export interface SessionParts {
  readonly store: SessionStore;
  readonly claim: SessionClaim;
  readonly agent: HostedAgent;
  /** What its agents are started with, and one that runs already. */
  readonly first: AgentForSession;
  readonly rules: SessionRules;
  readonly limits: SessionLimits;
  /** Throws what is answered if its tenant may have no further agent, or prompt. */
  readonly admit: (what: 'agent' | 'prompt') => void;
  /** Events are forgotten once every subscriber has them. */
  readonly isPassing: boolean;
  /** Called with every event, before it is stored. */
  readonly onEvent: (session: Session, event: SessionEvent) => void;
  /** Called when the session has ended here, by itself or by `close`. */
  readonly onEnded: (session: Session) => void;
}

/**
 * One session: its agent, its only queue of prompts, its only list of questions, the rules in force, its log, and its subscribers. It outlives its agent: that is
 * started when a prompt needs it, and gets the session back.
 */
export class Session {
  readonly questions: Questions;
  readonly log: SessionLog;
  readonly subscriptions: Subscriptions = new Subscriptions();
  /** From prompts to their answers. */
  readonly turns: SessionTurns;
  readonly #parts: SessionParts;
  readonly #rules: RulesInForce;
  readonly #permissions: AskedClients;
  readonly #record: StoredRecord;
  readonly #agent: SessionAgent;
  /** What its agent does, as subscribers are shown it: never before the events that led to it. */
  #shownState: AgentState;
  /** Events to deliver to the next subscriber that reads events. */
  readonly #missed = new MissedEvents();
  /** Runs while it has neither subscribers nor work. */
  readonly #idle: IdleTimer;
  /** How many starts of the agent and subscriptions are under way. */
  #opening = 0;
  #controller: Subscriber | undefined;
  #promptMeta: GivenPrompt['meta'];
  readonly #ending = new SessionEnding();

  private constructor(parts: SessionParts) {
    const { store, claim, limits, first } = parts;
    this.#parts = parts;
    this.#idle = new IdleTimer(limits.idle, () => void this.close({ asClosed: false }));
    const onFailed = (error: Error): Promise<void> => this.#failed(error);
    this.#record = new StoredRecord({ store, claim, onFailed });
    this.log = new SessionLog({
      ...{ store, claim, onFailed },
      onStored: () => this.subscriptions.notify(),
      haveAll: (upTo) => this.subscriptions.haveAll(upTo),
    });
    this.questions = new Questions(this.subscriptions, limits.question);
    this.#permissions = new AskedClients(this.questions);
    this.#rules = new RulesInForce({
      rules: parts.rules,
      record: claim.record,
      ask: (question) => this.#permissions.ask(question),
      onWarning: (title) => this.#warn(title),
    });
    this.#agent = this.#sessionAgent();
    this.#shownState = this.#agent.state;
    this.turns = this.#sessionTurns();
    first.access.bind(this);
  }

  #sessionAgent(): SessionAgent {
    const { agent: hosted, first, limits } = this.#parts;
    return new SessionAgent({
      ...{ hosted, first, record: this.#record, rules: this.#rules, silence: limits.silence },
      onEvent: (event) => this.#received(event),
      onUpdate: (update, isReplay) =>
        this.turns.mayJoin ? later(() => this.#updated(update, isReplay)) : this.#updated(update, isReplay),
      onState: () => this.#showState(this.#agent.state),
      onReady: () => this.turns.next(),
      onFailed: (error) => this.turns.failWaiting(error),
      onEnding: () => this.turns.agentEnds(),
      warn: (title) => this.#warn(title),
    });
  }

  #sessionTurns(): SessionTurns {
    const { claim, limits, isPassing } = this.#parts;
    return new SessionTurns({
      ...{ agent: this.#agent, log: this.log, subscriptions: this.subscriptions, limits, isPassing },
      epoch: claim.epoch,
      refuse: () => this.#refuse(),
      unstored: () => this.unstored,
      beforeTurn: (prompted) => this.#beforeTurn(prompted),
      onEvent: (event) => this.#received(event),
      warn: (title) => this.#warn(title),
      onEnded: () => this.#rules.endTurn(this.#agent.sessionId),
      mayIdle: () => this.#mayIdle(),
      onQueue: () => this.subscriptions.notify(),
    });
  }

  /** Opens a session that was claimed. A turn that was running when its last owner ended is closed as interrupted; it is never run again. */
  static async open(parts: SessionParts): Promise<Session> {
    const session = new Session(parts);
    const turnId = await openTurn(session.log);
    if (turnId !== undefined)
      session.#append({ at: Date.now(), type: 'turn-failed', turnId, message: turnInterrupted });
    await session.log.stored();
    session.#mayIdle();
    return session;
  }

  get id(): string {
    return this.record.id;
  }

  get record(): SessionRecord {
    return this.#record.current;
  }

  get facts(): SessionFacts {
    return this.#record.facts;
  }

  /** What the agent waits for before it is read on: that what it has said is stored. */
  get room(): Promise<void> | undefined {
    return this.log.room;
  }

  get head(): Cursor {
    return this.log.head;
  }

  /** Whether it has an agent at the moment. */
  get isAwake(): boolean {
    return this.#agent.isAwake;
  }

  /** What it does: a turn runs or waits, or a question waits for an answer. Undefined: neither. */
  get activity(): 'asking' | 'working' | undefined {
    if (this.questions.size > 0) return 'asking';
    return this.turns.areUnderWay ? 'working' : undefined;
  }

  /** What its agent does, as clients are shown it: never before the events that led to it. */
  get shownState(): AgentState {
    return this.#shownState;
  }

  /** What its agent does; the same object until that changes. */
  get state(): AgentState {
    return this.#agent.state;
  }

  get permissions(): Permissions {
    return this.#rules.current;
  }

  /** The client in control of the running turn; undefined if it is gone. */
  get controller(): Subscriber | undefined {
    return this.subscribers.find((subscriber) => subscriber === this.#controller);
  }

  get subscribers(): readonly Subscriber[] {
    return this.subscriptions.subscribers;
  }

  /** What the last prompt that began has in `_meta` for the agent. */
  get promptMeta(): GivenPrompt['meta'] {
    return this.#promptMeta;
  }

  /** The prompts that wait. */
  get waiting(): readonly WaitingPrompt[] {
    return this.turns.queue.waiting;
  }

  /** How long it keeps its agent without clients and work, in milliseconds, in the place of what the gateway's limits say. */
  keepFor(idle: number): void {
    this.#idle.time = idle;
    this.#mayIdle();
  }

  /** What clients that read events have missed while none was attached: the next one is to know it. Each is given once. */
  takeMissed(): readonly SessionEvent[] {
    return this.#missed.take();
  }

  /** Gives it another title, which every client sees. */
  rename(title: string): void {
    const update = { sessionUpdate: 'session_info_update', title } as const;
    const event = { at: Date.now(), type: 'update', update } as const;
    noteEvent(event, this.#record, this.#agent);
    this.#append(event);
  }

  /** Starts the agent and opens the session with it, unless that was done. Rejects with the reason if it cannot be. */
  async wake(how?: Waking): Promise<void> {
    this.#refuse();
    await this.#whileOpening(() => this.#agent.wake(how));
    await this.log.stored();
  }

  /** Ends the agent, if it runs, and starts it, with the session. Rejects with the reason if it cannot be. */
  async restart(): Promise<void> {
    this.#refuse();
    await this.#agent.restart();
    await this.log.stored();
  }

  /** Logs in at the agent, which runs. The session goes on, if it waited for that. */
  async authenticate(methodId: string): Promise<void> {
    await this.#agent.authenticate(methodId);
    await this.log.stored();
  }

  /** A page of the sessions that the agent itself has in a folder, without this one. */
  ownSessions(query: ListSessionsRequest): Promise<ListSessionsResponse> {
    return this.#agent.ownSessions(query);
  }

  /**
   * Subscribes to the events after a cursor, at first up to the head: see {@link Subscription.goLive}. Resolves with the reason too if the
   * events after the cursor are not complete.
   */
  async subscribe(
    subscriber: Subscriber,
    { after, begins }: SubscriptionStart,
  ): Promise<{ readonly subscription: Subscription; readonly gap?: 'trimmed' | 'unknown' }> {
    return this.#whileOpening(async () => {
      const { gap, start } = await this.log.placeAfter(after);
      const subscription = new Subscription(subscriber, this, { after: start, begins });
      this.subscriptions.add(subscription);
      return { subscription, ...(gap && { gap }) };
    });
  }

  /** A client is about to come: the session stays, also if another one leaves in the meantime. */
  async #whileOpening<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#opening++;
    this.#mayIdle();
    try {
      return await work();
    } finally {
      this.#opening--;
      this.#mayIdle();
    }
  }

  /** A subscriber has all events: ask it what waits for an answer. */
  caughtUp(subscription: Subscription): void {
    this.questions.offerTo(subscription);
  }

  /** A subscription has ended. */
  ended(subscription: Subscription): void {
    this.subscriptions.delete(subscription);
    subscription.subscriber.ended?.(subscription);
    this.#mayIdle();
  }

  /** Runs a turn, after those before it. Rejects with the ProtocolError to answer with. */
  prompt(given: GivenPrompt): Promise<TurnEnd> {
    this.#parts.admit('prompt');
    return this.turns.prompt(given);
  }

  /** Its agent, for what a client has it do: it is started for that. Throws if it may not be. */
  get agent(): Pick<SessionAgent, 'setMode' | 'setModel' | 'setConfigOption' | 'call'> {
    this.#refuse();
    return this.#agent;
  }

  /** Has the agent make a session of its own that begins with the history of this one. */
  async fork(meta: Readonly<Record<string, unknown>> | undefined): Promise<SessionFork> {
    this.#refuse();
    const { forksAfterMessage } = this.#parts.agent.differences ?? {};
    return this.#agent.fork(forksAfterMessage === true ? await forkPoint(this.log, meta) : meta);
  }

  /** Ends the agent. The session stays in the store, and goes on with the next prompt. */
  async park(): Promise<void> {
    this.#idle.stop();
    await this.#agent.end();
    await this.log.stored();
    await this.#record.saved;
  }

  /** A client closes the session: for itself if others have it, else for good. */
  async closeFor(subscription: Subscription): Promise<void> {
    if (this.subscriptions.areOnly(subscription)) await this.close({ asClosed: true });
    else subscription.end();
  }

  /** Ends the agent, and detaches every client. A session that was never prompted is forgotten. */
  close(how: { readonly asClosed: boolean }): Promise<void> {
    return this.#ending.during(this.#close(how));
  }

  async #close({ asClosed }: { readonly asClosed: boolean }): Promise<void> {
    await this.park();
    const { isPrompted, isKept } = this.facts;
    if (!isPrompted && !isKept) await this.#forget();
    else if (asClosed) this.#record.save({ closedAt: Date.now() });
    await this.#record.saved;
    this.#end();
  }

  /** Throws if the session cannot do anything, or has no agent and may not have one. */
  #refuse(): void {
    if (this.unstored) throw this.unstored;
    if (this.#ending.isOver) throw closed();
    if (!this.#agent.isAwake) this.#parts.admit('agent');
  }

  async #beforeTurn(prompted: Prompted): Promise<void> {
    const { rules: given, decisions, limited, failsIfLost, acceptedAt } = prompted;
    if (failsIfLost && (this.facts.contextLostAt ?? 0) >= acceptedAt) throw notSent();
    this.#rules.begin({ given, decisions, stop: (message) => limited.stop({ reason: 'rules', message }) });
    this.#agent.warnIfItNeverAsks();
    await this.#agent.ensureAsking();
  }

  #updated(update: SessionUpdate, isReplay: boolean): Promise<void> | undefined {
    const event = { at: Date.now(), type: 'update', update } as const;
    this.#received(isReplay ? { ...event, isReplay } : event);
    if (isReplay) return undefined;
    const unasked = isToolCall(update) && this.#rules.observe(this.#agent.sessionId ?? '', update);
    if (unasked) this.#received({ at: Date.now(), type: 'ran-unasked', ...unasked });
    return this.turns.updated(update);
  }

  #received(event: TranscriptEvent): void {
    const prompted = 'turnId' in event ? this.turns.queue.get(event.turnId) : undefined;
    const by = prompted?.subscriber.author ?? this.#permissions.takeAuthor(event);
    noteEvent(event, this.#record, this.#agent);
    const isPrompt = event.type === 'prompt' && prompted !== undefined;
    if (isPrompt && event.into === undefined) {
      this.#controller = prompted.subscriber;
      this.#promptMeta = prompted.meta;
      notePrompt(prompted.content, this.#record);
    }
    const key = isPrompt ? prompted.key : undefined;
    const keyed = key === undefined ? event : { ...event, key };
    this.#append(by ? { ...keyed, by } : keyed, key === undefined ? undefined : promptKey(key));
  }

  #append(event: SessionEvent, key?: string): void {
    this.log.append(event, key);
    // Updates are missed by nobody: clients that come read the log.
    if (event.type !== 'update' && !this.subscriptions.areReading)
      this.#missed.add(event, (turnId) => this.turns.queue.get(turnId)?.isUnattended === true);
    this.#parts.onEvent(this, event);
  }

  /** Shows a state once the events so far are stored. */
  #showState(state: AgentState): void {
    this.log.onceStored(() => {
      if (this.#shownState === state) return;
      this.#shownState = state;
      this.subscriptions.notify();
    });
  }

  /** What every prompt is answered with, once the session cannot be stored. */
  get unstored(): ProtocolError | undefined {
    return this.#ending.unstored;
  }

  #warn(title: string): void {
    this.#append({ at: Date.now(), type: 'remark', severity: 'warning', title });
  }

  async #forget(): Promise<void> {
    const { tenant, id } = this.record;
    await this.#parts.store.delete(tenant, id).catch((error: unknown) => this.#failed(error as Error));
  }

  /** Nothing may be shown that is not stored, so a session that cannot be stored ends here. */
  async #failed(error: Error): Promise<void> {
    if (this.#ending.fail(error)) await this.#ending.during(this.#agent.end().then(() => this.#end()));
  }

  /** Resolves when the session, which is being ended, has ended here; undefined: it is not. */
  get ending(): Promise<void> | undefined {
    return this.#ending.underWay;
  }

  #end(): void {
    if (!this.#ending.finish()) return;
    this.#idle.stop();
    this.subscriptions.end();
    this.#parts.onEnded(this);
  }

  /** Without clients and work the agent is ended after a while. */
  #mayIdle(): void {
    const isUsed = this.subscriptions.size > 0 || this.turns.areUnderWay || this.#opening > 0;
    if (isUsed || this.#ending.hasBegun) this.#idle.stop();
    else this.#idle.start();
  }
}

/** Nothing else that an agent sends is about something that it runs. */
function isToolCall({ sessionUpdate }: SessionUpdate): boolean {
  return sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update';
}

/** Does something after what is due now. */
function later(work: () => Promise<void> | undefined): Promise<void> {
  return new Promise<void>((resolve) => soon(resolve)).then(work);
}
