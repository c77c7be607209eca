import type { PromptResponse } from '@turnwire/protocol';
import { soon } from '@turnwire/machine/waits';
import { QueuedPrompt, type SentPrompt } from './queued-prompt.ts';

/** A turn that has started. */
export interface StartedTurn {
  readonly sent: SentPrompt;
  /** Aborts when the turn is cancelled, by any of the prompts it answers. */
  readonly signal: AbortSignal;
  readonly takeWaiting: TakeWaiting;
}

/** Takes the waiting prompts into a turn, in order, up to the first unwanted one. They end with the turn. */
export type TakeWaiting = (isWanted: (sent: SentPrompt) => boolean) => readonly SentPrompt[];

/**
 * Runs a session's turns in sequence. A cancel applies to all prompts at that moment, whether running, taken by the running turn or
 * waiting, and to no later one.
 */
export class TurnQueue {
  /** Unanswered prompts. */
  readonly #prompts = new Set<QueuedPrompt>();
  /** The unanswered prompts that run or wait for their own turn. */
  readonly #turns = new Set<QueuedPrompt>();
  #last: Promise<unknown> = Promise.resolve();

  /** Turns that run or wait. */
  get size(): number {
    return this.#turns.size;
  }

  /**
   * Runs the work after all earlier turns. A prompt that is cancelled while it waits is never run.
   * @param request aborting it cancels the turn that answers the prompt
   * @returns the outcome of the turn; undefined if it was cancelled before it started
   */
  async run(
    sent: SentPrompt,
    request: AbortSignal,
    work: (turn: StartedTurn) => Promise<PromptResponse>,
  ): Promise<PromptResponse | undefined> {
    const queued = new QueuedPrompt(sent, request);
    this.#prompts.add(queued);
    this.#turns.add(queued);
    const earlier = this.#last;
    queued.outcome = this.#runAfter(earlier, queued, work);
    // The next turn starts after the answer of the last has been written, so that its updates do not come before.
    this.#last = Promise.allSettled([earlier, queued.outcome]).then(
      () => new Promise<void>((resolve) => soon(resolve)),
    );
    try {
      return await queued.outcome;
    } finally {
      queued.close();
      this.#turns.delete(queued);
      this.#prompts.delete(queued);
    }
  }

  /**
   * Waits for a running turn to take a prompt, which never gets its own turn. Resolves to false if no turn runs, if the earlier turns end
   * without taking it, or if it is cancelled before.
   * @param request aborting it withdraws the prompt, unless a turn has taken it
   */
  async offer(sent: SentPrompt, request: AbortSignal): Promise<boolean> {
    const queued = new QueuedPrompt(sent, request);
    this.#prompts.add(queued);
    this.#turns.add(queued);
    await Promise.race([this.#last, queued.leftQueue]);
    queued.close();
    this.#turns.delete(queued);
    this.#prompts.delete(queued);
    return queued.takenInto !== undefined;
  }

  /** Cancels all turns. */
  cancel(): void {
    for (const prompt of this.#prompts) prompt.cancel();
  }

  /** Resolves when all turns have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async #runAfter(
    earlier: Promise<unknown>,
    queued: QueuedPrompt,
    work: (turn: StartedTurn) => Promise<PromptResponse>,
  ): Promise<PromptResponse | undefined> {
    await Promise.race([earlier, queued.leftQueue]);
    if (queued.takenInto !== undefined) return queued.takenInto;
    if (queued.signal.aborted) return undefined;
    return work({
      sent: queued.sent,
      signal: queued.signal,
      takeWaiting: (isWanted) => this.#takeInto(queued, isWanted),
    });
  }

  #takeInto(running: QueuedPrompt, isWanted: Parameters<TakeWaiting>[0]): ReturnType<TakeWaiting> {
    // A prompt that arrives after a cancel starts its own turn.
    if (running.signal.aborted) return [];
    const waiting = [...this.#turns].filter((prompt) => prompt !== running && !prompt.signal.aborted);
    const unwanted = waiting.findIndex(({ sent }) => !isWanted(sent));
    const taken = unwanted === -1 ? waiting : waiting.slice(0, unwanted);
    for (const prompt of taken) {
      this.#turns.delete(prompt);
      prompt.joinTurnOf(running);
    }
    return taken.map(({ sent }) => sent);
  }
}
