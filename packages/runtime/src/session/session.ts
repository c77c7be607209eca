import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '@turnwire/client/gateway';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import { soon } from '@turnwire/machine/waits';
import type { Answer, Question } from '@turnwire/permissions';
import type { AgentState, SessionFork } from '@turnwire/protocol';
import { forkPoint } from '../agent/fork-point.ts';
import type { HostedAgent } from '../agent/hosted-agent.ts';
import { SessionLog } from '../log/session-log.ts';
import { type KeyedPrompt, openTurn, promptOfKey, turnInterrupted } from '../log/turn-history.ts';
import type { TurnRecorder } from '../review/turn-recorder.ts';
import { SessionTexts } from '../search/session-texts.ts';
import type { SessionLimits } from '../session-limits.ts';
import type { Cursor, SessionClaim, SessionRecord, SessionStore } from '../store/session-store.ts';
import type { AgentForSession, SessionLogin } from './agent-access.ts';
import { AgentPace } from './agent-pace.ts';
import { AgentUpdates } from './agent-updates.ts';
import { IdleTimer } from './idle-timer.ts';
import { PromptAnswers, type TurnEnd } from './prompt-answers.ts';
import { PromptQueue, type SessionPrompt } from './prompt-queue.ts';
import { Questions } from './questions.ts';
import { RulesInForce } from './rules-in-force.ts';
import { SessionAgent, type Waking } from './session-agent.ts';
import { type Metering, SessionBudget } from './session-budget.ts';
import { SessionEnding } from './session-ending.ts';
import { SessionEvents } from './session-events.ts';
import type { SessionFacts } from './session-facts.ts';
import type { SessionRules } from './session-rules.ts';
import { SessionTurns } from './session-turns.ts';
import { ShownState } from './shown-state.ts';
import { StoredRecord } from './stored-record.ts';
import type { Subscriber } from './subscriber.ts';
import { Subscription, type SubscriptionStart } from './subscription.ts';
import { Subscriptions } from './subscriptions.ts';

/** The folders and MCP servers of a session, besides those of its agent. */
export type SessionSetUp = Pick<SessionRecord, 'additionalDirectories'> & Required<Pick<SessionFacts, 'mcpServers'>>;

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
  /** Records what its turns change in its folder. */
  readonly recorder: TurnRecorder | undefined;
  /** How its usage is counted and limited. */
  readonly metering: Metering & Required<Pick<Metering, 'record'>>;
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
  readonly shown: ShownState;
  readonly events: SessionEvents;
  readonly #parts: SessionParts;
  readonly #rules: RulesInForce;
  readonly #record: StoredRecord;
  readonly #agent: SessionAgent;
  readonly #answers: PromptAnswers;
  readonly #idle: IdleTimer;
  readonly #ending: SessionEnding;
  /** Undefined: nothing of this session can be found. */
  readonly #texts: SessionTexts | undefined = undefined;

  // In each literal a property comes before the spreads, so that the objects of all sessions share hidden classes.
  private constructor(parts: SessionParts) {
    const { store, claim, limits, first, rules, agent: hosted, recorder } = parts;
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
      park: () => this.park(),
      ...{ store, record: this.#record, endAgent: () => this.#agent.end(), onEnded: () => this.#ended() },
    });
    // Passing events are not there to be found.
    if (!parts.isPassing) this.#texts = new SessionTexts({ record: this.#record, ...{ store, claim, onFailed } });
    this.log = new SessionLog({
      onStored: () => this.subscriptions.notify(),
      ...{ store, claim, onFailed, isPassing: parts.isPassing, texts: this.#texts },
      haveAll: (upTo) => this.subscriptions.haveAll(upTo),
    });
    this.questions = new Questions(this.subscriptions, this.log, limits);
    const inSession = { log: this.log, questions: this.questions, subscriptions: this.subscriptions };
    this.shown = new ShownState(this.log, () => this.subscriptions.notify());
    const queue = new PromptQueue((waiting) => this.shown.showWaiting(waiting));
    // Before the rules: they report a file that cannot be read at once.
    this.events = new SessionEvents({
      onEvent: (event) => parts.onEvent(this, event),
      ...{ ...inSession, record: this.#record, queue },
    });
    const warn = (title: string): void => this.events.warn(title);
    const onEvent = (event: TranscriptEvent): void => this.events.add(event);
    const ask = (question: Question): Promise<Answer> => this.questions.askPermission(question);
    this.#rules = new RulesInForce({ rules, record: claim.record, onWarning: warn, ask });
    const ruled = { record: this.#record, rules: this.#rules, onEvent, warn };
    this.#agent = new SessionAgent({
      hosted,
      ...{ ...ruled, first, silence: limits.silence },
      onUpdate: (update, origin) =>
        this.turns.joining > 0 ? later(() => updates.add(update, origin)) : updates.add(update, origin),
      onState: () => this.shown.showState(this.#agent.state),
      onFeedback: (feedback) => this.turns.addFeedback(feedback),
      onReady: () => this.turns.next(),
      onFailed: (error) => this.turns.failWaiting(error),
      onEnding: () => this.turns.agentEnds(),
    });
    const budget = new SessionBudget({ stored: this.#record, ...inSession, ...parts.metering, events: this.events });
    this.turns = new SessionTurns({
      onChange: () => this.#idle.check(),
      ...ruled,
      ...{ agent: this.#agent, queue, budget, recorder },
      pace: new AgentPace(this.log, this.subscriptions, parts.isPassing),
    });
    const updates = new AgentUpdates({ events: this.events, ...ruled, agent: this.#agent, turns: this.turns });
    this.#answers = new PromptAnswers({
      refuse: () => this.#refuse(),
      ...{ turns: this.turns, log: this.log, ending: this.#ending, warn },
      ...{ mostWaiting: limits.queue, epoch: claim.epoch },
    });
    first.access.bind({ id: this.id, ...inSession, rules: this.#rules, latest: this.events.latest, recorder, warn });
  }

  /** Opens a claimed session. If a turn was running when the last owner ended, logs that it was interrupted; it never runs again. */
  static async open(parts: SessionParts): Promise<Session> {
    const session = new Session(parts);
    await session.#texts?.catchUp(session.log);
    const turnId = await openTurn(session.log);
    if (turnId !== undefined)
      session.events.append({ at: Date.now(), type: 'turn-failed', turnId, message: turnInterrupted });
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

  /** Whether the agent, if it runs, has announced a child session with this id. */
  hasChild(sessionId: string): boolean {
    return this.#agent.hasChild(sessionId);
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

  /** Sets how long the session keeps its agent without clients and work, in milliseconds, instead of the limit of the gateway. */
  keepFor(idle: number): void {
    this.#idle.time = idle;
    this.#idle.check();
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
  async authenticate(login: SessionLogin): Promise<void> {
    await this.#agent.authenticate(login);
    await this.log.stored();
  }

  /** Logs out of the agent, if it runs and has a logout. */
  async logOut(): Promise<void> {
    await this.#agent.agent?.logout?.();
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
          onReceived: (each) => this.questions.offerTo(each),
          ...{ subscriber, log: this.log, shown: this.shown },
          onEnded: (each) => {
            this.subscriptions.delete(each);
            this.questions.clientsChanged();
            subscriber.ended?.(each);
            this.#idle.check();
          },
        },
        { after: start, begins },
      );
      this.subscriptions.add(subscription);
      this.questions.clientsChanged();
      return { subscription, ...(gap && { gap }) };
    });
  }

  /** Runs a turn, after those before it. Rejects with the ProtocolError to answer with. */
  prompt(prompt: SessionPrompt): Promise<TurnEnd> {
    this.#parts.admit('prompt');
    return this.#answers.answer(prompt);
  }

  /**
   * Cancels a waiting prompt, also one that arrived just now. Resolves with false if it runs already, or does not exist.
   * @param id the id of its turn, or its key
   */
  async withdraw(id: string): Promise<boolean> {
    await this.#answers.lookedUp(id);
    return this.turns.withdraw(id);
  }

  /**
   * Replaces the additional folders and MCP servers, unless other clients use the session or a turn runs. An agent that runs with others ends,
   * and the next prompt starts it.
   */
  async setUp({ additionalDirectories, mcpServers }: SessionSetUp): Promise<void> {
    const { record } = this;
    const wanted = { additionalDirectories, mcpServers };
    const before = { additionalDirectories: record.additionalDirectories, mcpServers: this.facts.mcpServers ?? [] };
    if (isDeepStrictEqual(wanted, before) || this.subscriptions.size > 0 || this.turns.areUnderWay) return;
    this.#record.save({ additionalDirectories, facts: { ...this.facts, mcpServers } });
    if (this.#agent.isAwake) await this.park();
  }

  /** Finds the prompt with a key in the conversation. Rejects with -32602 if it has another content. */
  async promptWithKey({
    key,
    content,
  }: Required<Pick<SessionPrompt, 'content' | 'key'>>): Promise<KeyedPrompt | undefined> {
    if (key === undefined) return undefined;
    await this.log.stored();
    return promptOfKey(this.log, key, content);
  }

  /** The agent, for requests of a client. Most start it; those about its work or its list of sessions need a running one. Throws if the session may not have one. */
  get agent(): Pick<SessionAgent, 'setMode' | 'setModel' | 'setConfigOption' | 'call' | 'cancelWork' | 'ownSessions'> {
    this.#refuse();
    return this.#agent;
  }

  /** Records what the turns change in the folder. Undefined: nothing is recorded. */
  get recorder(): TurnRecorder | undefined {
    return this.#parts.recorder;
  }

  /** Asks the agent for a new session that begins with the history of this one. */
  async fork(meta: Readonly<Record<string, unknown>> | undefined): Promise<SessionFork> {
    this.#refuse();
    // An agent that restores files reads the same record. Without its end, the last turn cannot be undone.
    await this.#parts.recorder?.recorded;
    const { forksAfterMessage } = this.#parts.agent.differences ?? {};
    return this.#agent.fork(forksAfterMessage === true ? await forkPoint(this.log, meta) : meta);
  }

  /** Ends the agent. The session stays in the store, and continues with the next prompt. */
  async park(): Promise<void> {
    this.#idle.stop();
    await this.#agent.end();
    await this.log.stored();
    await this.#parts.recorder?.recorded;
    await this.turns.budget.usage.written;
    this.#texts?.index();
    await this.#texts?.indexed;
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
