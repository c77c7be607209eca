import { RequestError } from '../json-rpc/request-error.ts';

/** The introductions of both sides in `initialize`. */
export interface Introductions {
  readonly request: unknown;
  readonly response: unknown;
}

/** The exchange of `initialize` on one connection. */
export class Initialization {
  #introductions: Introductions | undefined;
  #waiting: { readonly resolve: (value: Introductions) => void; readonly reject: (error: unknown) => void }[] = [];
  #failure: { readonly error: Error } | undefined;
  /** The call of `initialize` that was not answered yet. */
  #pending: Promise<unknown> | undefined;
  #isUsed = false;

  get isComplete(): boolean {
    return this.#introductions !== undefined;
  }

  /** Resolves when `initialize` was answered. */
  get done(): Promise<Introductions> {
    if (this.#introductions) return Promise.resolve(this.#introductions);
    if (this.#failure) return Promise.reject(this.#failure.error);
    const done = new Promise<Introductions>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    done.catch(() => undefined);
    return done;
  }

  /**
   * Calls `initialize`, for a client whose version demands it first. It may be repeated after an error, and as long as no other request
   * was sent.
   * @throws RequestError -32600 at any other time
   */
  begin(call: () => Promise<unknown>): Promise<unknown> {
    if (this.#pending) throw RequestError.invalidRequest('initialize is already in progress');
    if (this.#isUsed) throw RequestError.invalidRequest('initialize must not be repeated after other requests');
    const pending = call().finally(() => (this.#pending = undefined));
    this.#pending = pending;
    return pending;
  }

  /** Sends another message: at once, after the answer to `initialize`, or not at all if that was not called. */
  async after<Value>(method: string, send: () => Promise<Value>): Promise<Value> {
    const refused = RequestError.invalidRequest(`The connection must be initialized before '${method}'`);
    if (!this.isComplete && !this.#pending) throw refused;
    this.#isUsed = true;
    await this.#pending?.catch(() => undefined);
    if (!this.isComplete) {
      this.#isUsed = false;
      throw refused;
    }
    return send();
  }

  /** @returns the response */
  complete(request: unknown, response: unknown): unknown {
    this.#introductions = { request, response };
    for (const { resolve } of this.#waiting) resolve(this.#introductions);
    this.#waiting = [];
    return response;
  }

  /** The connection has ended. */
  fail(error: unknown): void {
    this.#failure = { error: error as Error };
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting = [];
  }
}
