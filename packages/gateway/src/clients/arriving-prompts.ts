/** A prompt on its way into the queue of its session. */
export interface ArrivingPrompt {
  /** Aborts with the request, and when the client cancels its prompts before this one is in the queue. */
  readonly signal: AbortSignal;
  /** The prompt is in the queue, has the answer of an earlier one with its key, or was answered. */
  readonly arrived: () => void;
}

/**
 * The prompts of a client that are not in the queue of their session yet: one with a key is first looked up in the log. A cancel that
 * arrives before that applies to them, not to the turn of another client.
 */
export class ArrivingPrompts {
  readonly #bySession = new Map<string, Set<AbortController>>();

  /** @param request aborts when the client cancels the request, or is gone */
  add(sessionId: string, request: AbortSignal): ArrivingPrompt {
    const cancelling = new AbortController();
    const prompts = this.#bySession.get(sessionId) ?? new Set();
    this.#bySession.set(sessionId, prompts.add(cancelling));
    const arrived = (): void => {
      prompts.delete(cancelling);
      if (prompts.size === 0 && this.#bySession.get(sessionId) === prompts) this.#bySession.delete(sessionId);
    };
    const abort = (): void => cancelling.abort(request.reason);
    if (request.aborted) abort();
    else request.addEventListener('abort', abort, { once: true });
    return { signal: cancelling.signal, arrived };
  }

  /** Cancels the prompts of a session. Returns whether there were any. */
  cancel(sessionId: string): boolean {
    const prompts = this.#bySession.get(sessionId);
    this.#bySession.delete(sessionId);
    for (const cancelling of prompts ?? []) cancelling.abort();
    return prompts !== undefined;
  }
}
