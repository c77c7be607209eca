import { backOff, pause } from '@turnwire/machine/waits';
import { type PromptResponse, ProtocolError, TurnwireError } from '@turnwire/protocol';
import type { SessionLog } from '../log/session-log.ts';
import { endOfPrompt, promptOfKey, refuseOther } from '../log/turn-history.ts';
import { AcceptedPrompt, type SessionPrompt } from './prompt-queue.ts';
import type { SessionEnding } from './session-ending.ts';
import { tooManyPrompts } from './session-refusals.ts';
import type { SessionTurns } from './session-turns.ts';
import type { StoppedTurn } from './turn-limits.ts';
import { usageOf } from './turn-usage.ts';

/** How a turn ended. */
export interface TurnEnd {
  readonly turnId: string;
  readonly stopReason: PromptResponse['stopReason'];
  /** `_meta` of the agent's answer. */
  readonly meta?: PromptResponse['_meta'];
  /** The tokens of the turn, as the agent reported them: not yet part of the stable protocol. */
  readonly usage?: object;
  /** How often the agent asked for a permission, and how often it got one. Absent: an earlier process ran the turn. */
  readonly decisions?: { readonly asked: number; readonly allowed: number };
  /** Why this side ended the turn. Absent: it did not. */
  readonly stopped?: StoppedTurn;
}

/** The session whose prompts are answered. */
export interface PromptAnswersParts {
  readonly turns: SessionTurns;
  readonly log: SessionLog;
  /** The number of prompts that may wait. */
  readonly mostWaiting: number;
  /** The epoch of the claim on the session. */
  readonly epoch: number;
  /** Throws the ProtocolError to answer with if a turn cannot begin now. */
  readonly refuse: () => void;
  readonly ending: SessionEnding;
  readonly warn: (title: string) => void;
}

/** A prompt that is being answered. */
interface PendingPrompt extends Pick<SessionPrompt, 'content'> {
  readonly end: Promise<TurnEnd>;
  /** Settles when it is known whether the log has it. If not, it is then in the queue. */
  readonly lookedUp: Promise<unknown>;
}

/** Answers the prompts of a session: once per key, with retries, and only after the events of the turn are stored. */
export class PromptAnswers {
  readonly #parts: PromptAnswersParts;
  /** The prompts that are being answered, by key. */
  #pending: Map<string, PendingPrompt> | undefined;
  #count = 0;

  constructor(parts: PromptAnswersParts) {
    this.#parts = parts;
  }

  /** Runs a turn, after those before it. Rejects with the ProtocolError to answer with. */
  async answer(prompt: SessionPrompt): Promise<TurnEnd> {
    const { key, content } = prompt;
    if (key === undefined) return this.#accept(prompt);
    const known = this.#pending?.get(key);
    if (known) {
      refuseOther(known.content, content);
      prompt.onJoined?.();
      return known.end;
    }
    const pending = (this.#pending ??= new Map());
    const lookedUp = this.#earlierEnd(key, content);
    const end = lookedUp.then((earlier) => earlier ?? this.#accept(prompt));
    pending.set(key, { content, end, lookedUp });
    try {
      return await end;
    } finally {
      pending.delete(key);
    }
  }

  /** Resolves when a prompt that has arrived is in the queue, or will not be. */
  async lookedUp(key: string): Promise<void> {
    await this.#pending?.get(key)?.lookedUp.catch(() => undefined);
  }

  async #earlierEnd(key: string, content: SessionPrompt['content']): Promise<TurnEnd | undefined> {
    const { log } = this.#parts;
    const earlier = await promptOfKey(log, key, content);
    return earlier && endOfPrompt(log, key, earlier);
  }

  /** Runs a turn, and again after a failure that may pass. */
  async #accept(prompt: SessionPrompt): Promise<TurnEnd> {
    const { turns, mostWaiting, epoch, refuse, warn } = this.#parts;
    const { limits, signal } = prompt;
    if (turns.queue.size > mostWaiting) throw tooManyPrompts(mostWaiting);
    const delays = backOff({ most: 8_000, jitter: 0 });
    const most = limits?.retries ?? 0;
    for (let left = most; ; left--) {
      refuse();
      const accepted = new AcceptedPrompt(prompt, `${epoch}-${++this.#count}`, (each) => turns.stop(each));
      accepted.isRetry = left < most;
      try {
        return await this.#run(accepted);
      } catch (error) {
        // An agent must not do the same work twice.
        if (left === 0 || signal.aborted || accepted.hasEffect || !mayPass(error)) throw error;
        const wait = delays.next().value;
        warn(`the turn failed (${(error as Error).message}); trying again in ${wait / 1000} s, ${left} left`);
        await pause(wait, signal).catch(() => undefined);
      }
    }
  }

  async #run(accepted: AcceptedPrompt): Promise<TurnEnd> {
    const { turns, log, ending } = this.#parts;
    const { turnId, decisions, limited, prompt } = accepted;
    const { signal } = prompt;
    const onAbort = (): void => void (isGone(signal) || turns.stop(accepted));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      turns.add(accepted);
      if (signal.aborted) onAbort();
      prompt.onAccepted?.(turnId);
      turns.next();
      const answer = await accepted.answer;
      const { stopReason, _meta: meta } = answer;
      const usage = usageOf(answer);
      await Promise.all([log.stored(), turns.budget.usage.written]);
      // A turn that was ended because it could not be stored looks like a cancelled one.
      if (ending.unstored) throw ending.unstored;
      const { asked, allowed } = decisions;
      const { stopped } = limited;
      const end = { turnId, stopReason, decisions: { asked, allowed } };
      return { ...end, ...(meta && { meta }), ...(usage && { usage }), ...(stopped && { stopped }) };
    } catch (error) {
      await log.stored();
      throw ending.unstored ?? error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      limited[Symbol.dispose]();
      turns.end(accepted);
    }
  }
}

/** Whether the connection of the client ended: that does not cancel its prompt. */
function isGone({ reason }: AbortSignal): boolean {
  return (reason as { readonly code?: unknown } | undefined)?.code === 'connection-closed';
}

/** Whether the agent is gone or reports an internal error. It would repeat a refusal. */
function mayPass(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === -32603 || error.code === -32700;
  return error instanceof TurnwireError && error.code === 'connection-closed';
}
