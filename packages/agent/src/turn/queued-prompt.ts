import type { PromptRequest, PromptResponse } from '@turnwire/protocol';

type Outcome = Promise<PromptResponse | undefined>;

/** The content of a prompt. */
export type SentPrompt = Pick<PromptRequest, 'prompt' | '_meta'> & {
  /** The key by which the client recognises the prompt when it sends it again. */
  readonly idempotencyKey?: string | undefined;
  /** Called when the prompt becomes a message of the conversation. */
  readonly inserted?: (messageId: string) => void;
};

/** A prompt from its arrival to its answer. */
export class QueuedPrompt {
  readonly sent: SentPrompt;
  /** Resolves when it leaves the queue early: it was cancelled, or another turn took it. */
  readonly leftQueue: Promise<void>;
  /** The outcome of its turn. Set as soon as it is queued. */
  outcome: Outcome = Promise.resolve(undefined);
  readonly #controller = new AbortController();
  readonly #request: AbortSignal;
  readonly #onRequestAbort = (): void => this.cancel(this.#request.reason);
  #leave = (): void => undefined;
  #turn: QueuedPrompt | undefined;

  /** @param request aborting it cancels the prompt */
  constructor(sent: SentPrompt, request: AbortSignal) {
    this.sent = sent;
    this.#request = request;
    this.leftQueue = new Promise((resolve) => (this.#leave = resolve));
    if (request.aborted) this.#onRequestAbort();
    else request.addEventListener('abort', this.#onRequestAbort, { once: true });
  }

  /** Aborts when the prompt is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The outcome of the turn that took it. Undefined if none did. */
  get takenInto(): Outcome | undefined {
    return this.#turn?.outcome;
  }

  /** Becomes part of the turn of another prompt: ends with it, and a cancel of either cancels both. */
  joinTurnOf(running: QueuedPrompt): void {
    this.#turn = running;
    this.#leave();
  }

  cancel(reason?: unknown): void {
    if (this.signal.aborted) return;
    this.#controller.abort(reason);
    this.#turn?.cancel(reason);
    this.#leave();
  }

  /** Stops listening for a cancel, once the prompt is answered. */
  close(): void {
    this.#request.removeEventListener('abort', this.#onRequestAbort);
  }
}
