import { isDeepStrictEqual } from 'node:util';
import type { ContentBlock, PromptResponse, ProtocolError } from '@turnwire/protocol';
import type { SessionLimits } from '../session-limits.ts';
import type { Author } from '../log/session-event.ts';
import type { SessionLog } from '../log/session-log.ts';
import { endOfKey } from '../log/turn-history.ts';
import type { Subscription } from './subscription.ts';
import type { Subscriber } from './subscriber.ts';
import { type AcceptedPrompt, PromptLine } from './prompt-line.ts';
import { withRetries } from './retries.ts';
import { DecisionCount } from './rules-in-force.ts';
import type { SessionAgent } from './session-agent.ts';
import { handedOver, tooManyPrompts } from './session-refusals.ts';
import { LimitedTurn, type StoppedTurn, type TurnLimits } from './turn-limits.ts';

/** A prompt of a client. */
export interface GivenPrompt {
  readonly content: readonly ContentBlock[];
  readonly subscriber: Subscriber;
  /** Makes it one turn, however often it is sent. */
  readonly key?: string | undefined;
  readonly limits?: TurnLimits | undefined;
  /** For the rules of the turn. */
  readonly rules?: unknown;
  /** For the agent. */
  readonly meta?: AcceptedPrompt['meta'];
  /** It is refused if the agent has lost the session. */
  readonly failsIfLost?: boolean | undefined;
  /** No client waits for its answer: if it fails, the next client that comes is to know. */
  readonly isUnattended?: boolean | undefined;
  /** Aborts when the client calls the prompt off. */
  readonly signal: AbortSignal;
  /** Called when the prompt was accepted: it runs, or waits for the turns before it. */
  readonly onAccepted?: ((turnId: string) => void) | undefined;
}

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
  readonly by: Author;
}

/** The session that turns belong to. */
export interface TurnsHost {
  readonly log: SessionLog;
  readonly subscriptions: Iterable<Subscription>;
  /** Throws the ProtocolError to answer with if there can be no turn now. */
  refuse(): void;
  /** What every prompt is answered with, once the session cannot be stored. */
  readonly unstored: ProtocolError | undefined;
  warn(title: string): void;
  /** A turn begins to wait, runs, or is over. */
  mayIdle(): void;
  /** Other prompts wait than before. */
  notify(): void;
}

/** What the turns of a session need. */
export interface SessionTurnsParts {
  readonly host: TurnsHost;
  readonly agent: SessionAgent;
  /** Of the claim on the session. */
  readonly epoch: number;
  readonly limits: SessionLimits;
  /** Events are forgotten once every attached client has them. */
  readonly isPassing: boolean;
}

/** How many events a client may be behind where the agent waits for it. */
const mayBeBehind = 64;

/** The turns of a session, from a prompt to its answer: one runs, the others wait. */
export class SessionTurns {
  readonly line: PromptLine;
  readonly #parts: SessionTurnsParts;
  /** To prompts with keys that run. */
  #answers: Map<string, Promise<TurnEnd>> | undefined;
  /** The turns whose prompts were taken. */
  #taken: Set<string> | undefined;
  #count = 0;
  /** A turn with a limit of the cost is over: whether the agent reports any is known. */
  #hasLimitedCost = false;

  constructor(parts: SessionTurnsParts) {
    this.#parts = parts;
    this.line = new PromptLine(parts.host);
  }

  /** Whether one runs or waits. */
  get areUnderWay(): boolean {
    return this.line.size > 0;
  }

  /** Runs a turn, after those before it. Rejects with the ProtocolError to answer with. */
  prompt(given: GivenPrompt): Promise<TurnEnd> {
    const { key } = given;
    if (key === undefined) return this.#run(given);
    const known = this.#answers?.get(key);
    if (known) return known;
    const answer = endOfKey(this.#parts.host.log, promptKey(key)).then((earlier) => earlier ?? this.#run(given));
    const answers = (this.#answers ??= new Map());
    answers.set(key, answer);
    const forget = (): void => void answers.delete(key);
    answer.then(forget, forget);
    return answer;
  }

  /** Takes the prompts that have not begun, for whoever goes on with the session. Their clients are answered with an error that says so. */
  takeWaiting(): readonly HandedPrompt[] {
    return this.line.notBegun.flatMap(([turnId, { subscriber, content, key, limits, rules, meta }]) => {
      (this.#taken ??= new Set()).add(turnId);
      return this.#parts.agent.withdraw(turnId) ? [{ by: subscriber.author, content, key, limits, rules, meta }] : [];
    });
  }

  /** Calls off a prompt that waits, whosever it is. False if it runs already, or there is none. */
  withdraw(turnId: string): boolean {
    return this.#parts.agent.withdraw(turnId);
  }

  /** Makes a prompt that waits the next one, whosever it is. False if it runs already, or there is none. */
  advance(turnId: string): boolean {
    const isWaiting = this.#parts.agent.advance(turnId);
    if (isWaiting) this.line.advance(turnId);
    return isWaiting;
  }

  /**
   * Sends a prompt that waits into the running turn, whosever it is. False if it runs already, or the agent has not taken it: then it waits on, as one does
   * with other rules or limits than those of the turn.
   */
  async steer(turnId: string): Promise<boolean> {
    const { line } = this;
    const [waiting, running] = [line.get(turnId), line.running];
    if (!waiting || !running || !haveSameRules(waiting, running)) return false;
    const answer = this.#parts.agent.steer(turnId);
    if (line.notBegun.some(([id]) => id === turnId)) line.advance(turnId);
    return answer;
  }

  /** Calls off the prompts of a client; of one that has none, the running turn. */
  async cancel(subscriber: Subscriber): Promise<void> {
    const { agent } = this.#parts;
    const waiting = this.line.waitingOf(subscriber);
    for (const turnId of waiting) agent.withdraw(turnId);
    if (waiting.length === 0 || this.line.isRunning(subscriber)) await agent.cancel();
  }

  /** Calls off the running turn, whosever it is. Prompts that wait stay. */
  async cancelRunning(): Promise<void> {
    await this.#parts.agent.cancel();
  }

  /** Calls off every prompt. Resolves when they were answered. */
  async cancelAll(): Promise<void> {
    const { agent } = this.#parts;
    for (const [turnId] of this.line.notBegun) agent.withdraw(turnId);
    await agent.cancel();
    await this.line.emptied();
  }

  async #run(given: GivenPrompt): Promise<TurnEnd> {
    const { limits, host } = this.#parts;
    if (this.line.size > limits.queue) throw tooManyPrompts(limits.queue);
    let hasBegun = false;
    return withRetries(() => this.#attempt(given, () => (hasBegun = true)), {
      count: given.limits?.retries ?? 0,
      hasBegun: () => hasBegun,
      signal: given.signal,
      onRetry: (title) => host.warn(title),
    });
  }

  async #attempt(given: GivenPrompt, onUpdate: () => void): Promise<TurnEnd> {
    const { content, limits = {}, signal, onAccepted } = given;
    const { host, agent, epoch, isPassing } = this.#parts;
    host.refuse();
    const turnId = `${epoch}-${++this.#count}`;
    const decisions = new DecisionCount();
    using limited = new LimitedTurn(limits, () => cancel());
    this.line.add(turnId, { ...given, decisions, limited, acceptedAt: Date.now() });
    host.mayIdle();
    const turn = agent.prompt(content, turnId);
    const cancel = (): void => void turn.cancel().catch(() => undefined);
    const callOff = (): void => void (isGone(signal) || cancel());
    signal.addEventListener('abort', callOff, { once: true });
    if (signal.aborted) callOff();
    onAccepted?.(turnId);
    try {
      for await (const update of turn) {
        onUpdate();
        limited.update(update);
        // Reading the updates paces the agent.
        if (isPassing || host.log.room) await this.#room();
      }
      const { stopReason, _meta } = await turn.result;
      if (this.#taken?.delete(turnId)) throw handedOver();
      this.#warnOfCost(limits, limited);
      await host.log.stored();
      // A turn that was ended because it could not be stored looks like one that was cancelled.
      if (host.unstored) throw host.unstored;
      return turnEnd({ turnId, stopReason, decisions, stopped: limited.stopped, meta: _meta });
    } catch (error) {
      await host.log.stored();
      throw host.unstored ?? error;
    } finally {
      signal.removeEventListener('abort', callOff);
      this.line.end(turnId);
      host.mayIdle();
    }
  }

  /** Once for the session: a limit of the cost limits nothing if the agent reports none. */
  #warnOfCost({ cost }: TurnLimits, limited: LimitedTurn): void {
    const warning = limited.warning();
    if (warning !== undefined && !this.#hasLimitedCost) this.#parts.host.warn(warning);
    this.#hasLimitedCost ||= cost !== undefined;
  }

  /** The agent is not faster than the store; nor, where events are passing, than the slowest client. */
  async #room(): Promise<void> {
    const { host, isPassing } = this.#parts;
    const { log, subscriptions } = host;
    await log.room;
    if (!isPassing) return;
    const { sequence } = log.head;
    for (const each of subscriptions) await each.reached(sequence - mayBeBehind);
    const [slowest] = [...subscriptions].map(({ position }) => position).toSorted((a, b) => a.sequence - b.sequence);
    if (slowest) await log.forget(slowest);
  }
}

function haveSameRules(one: AcceptedPrompt, other: AcceptedPrompt): boolean {
  return isDeepStrictEqual([one.rules, one.limits], [other.rules, other.limits]);
}

/** The key of the event of a prompt. */
export function promptKey(key: string): string {
  return `prompt:${key}`;
}

/** The client did not call its prompt off: its connection ended, and the turn goes on. */
function isGone({ reason }: AbortSignal): boolean {
  return (reason as { readonly code?: unknown } | undefined)?.code === 'connection-closed';
}

function turnEnd({
  turnId,
  stopReason,
  decisions: { asked, allowed },
  ...rest
}: Pick<TurnEnd, 'turnId' | 'stopReason'> & {
  readonly decisions: DecisionCount;
  readonly meta: TurnEnd['meta'];
  readonly stopped: StoppedTurn | undefined;
}): TurnEnd {
  const { meta, stopped } = rest;
  return { turnId, stopReason, decisions: { asked, allowed }, ...(meta && { meta }), ...(stopped && { stopped }) };
}
