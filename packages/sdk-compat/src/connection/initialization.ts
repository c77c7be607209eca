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
