import { isDeepStrictEqual } from 'node:util';
import { errorText } from '@turnwire/client';
import { canSteer, steer } from '@turnwire/client/extensions';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { EventAuthor, PromptResponse, ProtocolError, SessionUpdate } from '@turnwire/protocol';
import { afterFailure } from '../agent/endings.ts';
import type { SessionLog } from '../log/session-log.ts';
import { endOfKey } from '../log/turn-history.ts';
import type { Cursor } from '../store/session-store.ts';
import type { SessionLimits } from '../session-limits.ts';
import { type GivenPrompt, type Prompted, PromptQueue } from './prompt-queue.ts';
import { withRetries } from './retries.ts';
import { DecisionCount } from './rules-in-force.ts';
import type { SessionAgent } from './session-agent.ts';
import { handedOver, tooManyPrompts } from './session-refusals.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscription } from './subscription.ts';
import { LimitedTurn, type StoppedTurn } from './turn-limits.ts';

/** How a turn ended. */
export interface TurnEnd {
  readonly turnId: string;
  readonly stopReason: PromptResponse['stopReason'];
  /** What the agent's answer has in `_meta`. */
  readonly meta?: PromptResponse['_meta'];
  /** How often the agent asked for a permission, and how often it was given. Absent: an earlier process ran the turn. */
  readonly decisions?: { readonly asked: number; readonly allowed: number };
  /** Why it was ended from this side. Absent: it was not. */
  readonly stopped?: StoppedTurn;
}

/** A prompt that waited when its gateway ended. */
export interface HandedPrompt extends Pick<GivenPrompt, 'content' | 'key' | 'limits' | 'rules' | 'meta'> {
  /** Whose it is. */
  readonly by: EventAuthor;
}

/** What the turns of a session need of it. */
export interface SessionTurnsParts {
  readonly agent: SessionAgent;
  readonly log: SessionLog;
  readonly subscriptions: Iterable<Subscription>;
  readonly limits: SessionLimits;
  /** Of the claim on the session. */
  readonly epoch: number;
  /** Events are forgotten once every subscriber has them. */
  readonly isPassing: boolean;
  /** Throws the ProtocolError to answer with if there can be no turn now. */
  readonly refuse: () => void;
  /** Returns what every prompt is answered with, once the session cannot be stored. */
  readonly unstored: () => ProtocolError | undefined;
  /** A turn begins: waited for before its prompt is sent. If it rejects, the turn fails. */
  readonly beforeTurn: (prompted: Prompted) => Promise<void>;
  readonly onEvent: (event: TranscriptEvent) => void;
  readonly warn: (title: string) => void;
  /** The turn is over: its permissions are. */
  readonly onEnded: () => void;
  /** A turn begins to wait, runs, or is over. */
  readonly mayIdle: () => void;
  /** Other prompts wait than before. */
  readonly onQueue: () => void;
}

const cancelled: PromptResponse = { stopReason: 'cancelled' };

/** How many events a subscriber may be behind where the agent waits for it. */
const mayBeBehind = 64;

/** The turns of a session, from a prompt to its answer: one runs, the others wait. */
export class SessionTurns {
  readonly queue: PromptQueue;
  readonly #parts: SessionTurnsParts;
  #running: Prompted | undefined;
  /** To prompts with keys that run. */
  #answers: Map<string, Promise<TurnEnd>> | undefined;
  #count = 0;
  /** A turn with a limit of the cost is over: whether the agent reports any is known. */
  #hasLimitedCost = false;

  constructor(parts: SessionTurnsParts) {
    this.#parts = parts;
    this.queue = new PromptQueue(parts.onQueue);
  }

  /** Whether one runs or waits. */
  get areUnderWay(): boolean {
    return this.queue.size > 0;
  }

  /** Runs a turn, after those before it. Rejects with the ProtocolError to answer with. */
  prompt(given: GivenPrompt): Promise<TurnEnd> {
    const { key } = given;
    if (key === undefined) return this.#accept(given);
    const known = this.#answers?.get(key);
    if (known) return known;
    const answer = endOfKey(this.#parts.log, promptKey(key)).then((earlier) => earlier ?? this.#accept(given));
    const answers = (this.#answers ??= new Map());
    answers.set(key, answer);
    const forget = (): void => void answers.delete(key);
    answer.then(forget, forget);
    return answer;
  }

  /** Takes the prompts that have not begun, for the process that continues the session. Their clients are answered with an error that says so. */
  takeWaiting(): readonly HandedPrompt[] {
    return this.queue.notBegun.flatMap((prompted) => {
      if (prompted.into) return [];
      const { subscriber, content, key, limits, rules, meta } = prompted;
      this.queue.place(prompted, 'over');
      prompted.reject(handedOver());
      return [{ by: subscriber.author, content, key, limits, rules, meta }];
    });
  }

  /** Cancels a prompt that waits. False if it runs already, or there is none. */
  withdraw(turnId: string): boolean {
    const prompted = this.queue.waitingTurn(turnId);
    if (prompted) this.#cancel(prompted);
    return prompted !== undefined;
  }

  /** Makes a prompt that waits the next one. False if it runs already, or there is none. */
  advance(turnId: string): boolean {
    const prompted = this.queue.waitingTurn(turnId);
    if (prompted) this.queue.advance(prompted);
    return prompted !== undefined;
  }

  /**
   * Sends a prompt that waits into the running turn, which then answers it too; meanwhile it is the next. False if it runs already, or the agent has
   * not taken it: then it waits on, as one does with other rules or limits than those of the turn.
   */
  async steer(turnId: string): Promise<boolean> {
    const [prompted, running] = [this.queue.waitingTurn(turnId), this.#running];
    const { agent, sessionId, state } = this.#parts.agent;
    if (!prompted || !running?.sent || state.name !== 'working' || !haveSameRules(prompted, running)) return false;
    if (!canSteer(agent) || sessionId === undefined) return false;
    this.queue.advance(prompted);
    prompted.into = running;
    try {
      const onTaken = (): void => this.#join(prompted, running);
      return await steer(agent, { sessionId, prompt: prompted.content, onTaken });
    } finally {
      if (prompted.place === 'waiting') prompted.into = undefined;
      this.next();
    }
  }

  /** Cancels the prompts of a subscriber; for one that has none, the running turn. */
  async cancel(subscriber: Subscriber): Promise<void> {
    const own = this.queue.of(subscriber);
    const waiting = own.filter(({ place }) => place === 'waiting');
    for (const { turnId } of waiting) this.withdraw(turnId);
    if (waiting.length === 0 || own.some(({ place }) => place === 'begun')) await this.cancelRunning();
  }

  /** Cancels the running turn. Prompts that wait stay. Resolves when it is over. */
  async cancelRunning(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#cancel(running);
    await running.answer.catch(() => undefined);
  }

  /** Cancels every prompt. Resolves when they were answered. */
  async cancelAll(): Promise<void> {
    for (const { turnId } of this.queue.notBegun) this.withdraw(turnId);
    await this.cancelRunning();
    await this.queue.emptied();
  }

  /** The agent has ended, or is being ended: nothing is sent any more, and what runs has its time to stop. */
  async agentEnds(): Promise<void> {
    for (const prompted of this.queue.notBegun) this.#cancel(prompted);
    await this.cancelRunning();
  }

  /** The agent could not be started: the prompts that wait fail, and are in the transcript. */
  failWaiting(error: unknown): void {
    for (const prompted of this.queue.notBegun) {
      const { turnId, content } = prompted;
      this.queue.place(prompted, 'begun');
      this.#parts.onEvent({ at: Date.now(), type: 'prompt', turnId, content });
      this.#parts.onEvent({ at: Date.now(), type: 'turn-failed', turnId, message: errorText(error) });
      prompted.reject(error);
    }
  }

  /** Sends the next prompt, if the agent is ready for it. */
  next(): void {
    const prompted = this.queue.next;
    if (!prompted || prompted.into || this.#running || this.#parts.agent.state.name !== 'ready') return;
    this.#running = prompted;
    void this.#run(prompted);
  }

  /**
   * Whether the next update may be read together with the answer that a prompt was taken in, which is handled a moment later: then it has to
   * wait for that.
   */
  get mayJoin(): boolean {
    return this.queue.next?.into !== undefined;
  }

  /** The agent has sent an update. A returned promise paces it: it is not faster than the store; nor, where events are passing, than the slowest subscriber. */
  updated(update: SessionUpdate): Promise<void> | undefined {
    const running = this.#running;
    if (!running) return undefined;
    running.onWork();
    running.limited.update(update);
    if (running.isCancelled) return undefined;
    const { log, isPassing } = this.#parts;
    return log.room || isPassing ? this.#pace(log.room) : undefined;
  }

  #pace(room: Promise<void> | undefined): Promise<void> | undefined {
    const { log, isPassing, subscriptions } = this.#parts;
    if (!isPassing) return room;
    const due = log.length - mayBeBehind;
    let slowest: Cursor | undefined;
    for (const { position } of subscriptions) if (!slowest || position.sequence < slowest.sequence) slowest = position;
    if (slowest) log.forget(slowest).catch(() => undefined);
    if (!slowest || slowest.sequence >= due) return room;
    return Promise.all([room, ...Array.from(subscriptions, (each) => each.reached(due))]).then(() => undefined);
  }

  #accept(given: GivenPrompt): Promise<TurnEnd> {
    const { limits, warn } = this.#parts;
    if (this.queue.size > limits.queue) return Promise.reject(tooManyPrompts(limits.queue));
    let hasBegun = false;
    return withRetries(() => this.#attempt(given, () => (hasBegun = true)), {
      count: given.limits?.retries ?? 0,
      hasBegun: () => hasBegun,
      signal: given.signal,
      onRetry: warn,
    });
  }

  async #attempt(given: GivenPrompt, onWork: () => void): Promise<TurnEnd> {
    const { log, agent, refuse, mayIdle, unstored } = this.#parts;
    const { signal, onAccepted } = given;
    refuse();
    const prompted = this.#prompted(given, onWork);
    const { turnId, decisions, limited } = prompted;
    this.queue.add(prompted);
    mayIdle();
    agent.rouse();
    const callOff = (): void => void (isGone(signal) || this.#cancel(prompted));
    signal.addEventListener('abort', callOff, { once: true });
    if (signal.aborted) callOff();
    onAccepted?.(turnId);
    this.next();
    try {
      const { stopReason, _meta: meta } = await prompted.answer;
      this.#warnOfCost(prompted);
      await log.stored();
      const { stopped } = limited;
      // A turn that was ended because it could not be stored looks like one that was cancelled.
      const failure = unstored();
      if (failure) throw failure;
      const { asked, allowed } = decisions;
      return { turnId, stopReason, decisions: { asked, allowed }, ...(meta && { meta }), ...(stopped && { stopped }) };
    } catch (error) {
      await log.stored();
      throw unstored() ?? error;
    } finally {
      signal.removeEventListener('abort', callOff);
      limited[Symbol.dispose]();
      this.queue.end(prompted);
      mayIdle();
    }
  }

  #prompted(given: GivenPrompt, onWork: () => void): Prompted {
    let [resolve, reject] = [(_: PromptResponse): void => undefined, (_: unknown): void => undefined];
    const answer = new Promise<PromptResponse>((resolving, rejecting) => {
      resolve = resolving;
      reject = rejecting;
    });
    // Whoever does not wait for it need not handle it.
    answer.catch(() => undefined);
    const prompted: Prompted = {
      ...given,
      turnId: `${this.#parts.epoch}-${++this.#count}`,
      acceptedAt: Date.now(),
      decisions: new DecisionCount(),
      limited: new LimitedTurn(given.limits ?? {}, () => this.#cancel(prompted)),
      ...{ onWork, answer, resolve, reject, place: 'waiting', isCancelled: false },
    };
    return prompted;
  }

  async #run(prompted: Prompted): Promise<void> {
    const { agent, onEvent, beforeTurn } = this.#parts;
    const { turnId, content } = prompted;
    this.queue.place(prompted, 'begun');
    agent.become({ name: 'working', since: Date.now() });
    onEvent({ at: Date.now(), type: 'prompt', turnId, content });
    agent.endReplay();
    try {
      await beforeTurn(prompted);
      const result = prompted.isCancelled ? cancelled : await (prompted.sent = agent.prompt(content));
      onEvent({ at: Date.now(), type: 'turn-ended', turnId, stopReason: result.stopReason });
      this.#over(() => agent.become({ name: 'ready' }));
      prompted.resolve(result);
    } catch (error) {
      onEvent({ at: Date.now(), type: 'turn-failed', turnId, message: errorText(error) });
      this.#over(() => agent.failed(afterFailure(error, prompted.isCancelled)));
      prompted.reject(error);
    }
    this.next();
  }

  #over(then: () => void): void {
    this.#running = undefined;
    this.#parts.onEnded();
    // The agent may have been ended or restarted in the meantime, or have ended.
    const { name } = this.#parts.agent.state;
    if (name === 'working' || name === 'cancelling') then();
  }

  /** The agent has taken a prompt into the running turn. */
  #join(prompted: Prompted, running: Prompted): void {
    // It may have been cancelled on its way.
    if (prompted.place !== 'waiting') return;
    const { turnId, content } = prompted;
    this.queue.place(prompted, 'begun');
    this.#parts.onEvent({ at: Date.now(), type: 'prompt', turnId, content, into: running.turnId });
    running.answer.then(prompted.resolve, prompted.reject);
  }

  #cancel(prompted: Prompted): void {
    // Of a prompt that was taken in it is the turn that ends.
    if (prompted.place === 'begun' && prompted.into) return this.#cancel(prompted.into);
    if (prompted.isCancelled) return;
    prompted.isCancelled = true;
    const { agent, onEvent } = this.#parts;
    if (prompted.sent) {
      onEvent({ at: Date.now(), type: 'cancel-requested', turnId: prompted.turnId });
      if (agent.state.name === 'working') agent.become({ name: 'cancelling', since: Date.now(), isOverdue: false });
      void prompted.sent.cancel().catch(() => undefined);
      return;
    }
    // Its turn has come, and is over before it is sent.
    if (prompted === this.#running) return;
    this.queue.place(prompted, 'over');
    prompted.resolve(cancelled);
  }

  /** Once for the session: a limit of the cost limits nothing if the agent reports none. */
  #warnOfCost({ limits, limited }: Prompted): void {
    const warning = limited.warning();
    if (warning !== undefined && !this.#hasLimitedCost) this.#parts.warn(warning);
    this.#hasLimitedCost ||= limits?.cost !== undefined;
  }
}

function haveSameRules(one: Prompted, other: Prompted): boolean {
  return isDeepStrictEqual([one.rules, one.limits], [other.rules, other.limits]);
}

/** The key of the event of a prompt. */
export function promptKey(key: string): string {
  return `prompt:${key}`;
}

/** The client did not cancel its prompt: its connection ended, and the turn continues. */
function isGone({ reason }: AbortSignal): boolean {
  return (reason as { readonly code?: unknown } | undefined)?.code === 'connection-closed';
}
