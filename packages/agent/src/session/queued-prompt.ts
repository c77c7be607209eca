import type { PromptRequest, PromptResponse } from '@turnwire/protocol';

type Outcome = Promise<PromptResponse | undefined>;

/** What a client sent to be answered. */
export type SentPrompt = Pick<PromptRequest, 'prompt' | '_meta'>;

/** A prompt from its arrival to its answer. */
export class QueuedPrompt {
  readonly sent: SentPrompt;
  /** Resolves when it waits no more before its time has come: it was cancelled, or another turn took it. */
  readonly leftQueue: Promise<void>;
  /** How its turn ends. Set as soon as it is queued. */
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

  /** Aborts when it is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** How the turn ends that took it. Undefined: none did. */
  get takenInto(): Outcome | undefined {
    return this.#turn?.outcome;
  }

  /** Becomes part of the turn that answers another prompt: ends as it does, and a cancel of one is a cancel of both. */
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

  /** It was answered. */
  close(): void {
    this.#request.removeEventListener('abort', this.#onRequestAbort);
  }
}
