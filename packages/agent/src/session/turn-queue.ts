import type { PromptResponse } from '@turnwire/protocol';
import { QueuedPrompt, type SentPrompt } from './queued-prompt.ts';

/** A turn whose time has come. */
export interface StartedTurn {
  readonly sent: SentPrompt;
  /** Aborts when the turn is cancelled, by any of the prompts it answers. */
  readonly signal: AbortSignal;
  readonly takeWaiting: TakeWaiting;
}

/** Takes the prompts that wait into a turn, in the order they came, up to the first that is not wanted: its end is their end. */
export type TakeWaiting = (isWanted: (sent: SentPrompt) => boolean) => readonly SentPrompt[];

/**
 * Runs a session's turns one after the other. A cancel is a watermark: it reaches the prompts that are there, running, taken into
 * the running turn or waiting, and none that comes later.
 */
export class TurnQueue {
  /** Prompts that were not answered yet. */
  readonly #prompts = new Set<QueuedPrompt>();
  /** Those of them that run or wait for a turn of their own. */
  readonly #turns = new Set<QueuedPrompt>();
  #last: Promise<unknown> = Promise.resolve();

  /** Turns that run or wait. */
  get size(): number {
    return this.#turns.size;
  }

  /**
   * Runs the work when all earlier turns are over. A prompt that is cancelled while it waits is never run.
   * @param request aborting it cancels the turn that answers the prompt
   * @returns how the turn ended; undefined when there was none
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
    this.#last = Promise.allSettled([earlier, queued.outcome]).then(answersToLeave);
    try {
      return await queued.outcome;
    } finally {
      queued.close();
      this.#turns.delete(queued);
      this.#prompts.delete(queued);
    }
  }

  /** Cancels every turn there is. */
  cancel(): void {
    for (const prompt of this.#prompts) prompt.cancel();
  }

  /** Resolves when every turn there is is over. */
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
    // What comes after a cancel begins a turn of its own.
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

/** The next turn begins when the answer of the last has been written, lest its updates come before. */
function answersToLeave(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
