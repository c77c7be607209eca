type Entry<Value> = { readonly value: Value; next?: Entry<Value> } | { readonly error: unknown; next?: Entry<Value> };

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** Values in order, for readers that wait for the next one. Reading takes the same time whatever its length. */
export class UpdateQueue<Value> {
  #first: Entry<Value> | undefined;
  #last: Entry<Value> | undefined;
  readonly #waiting = new Set<Waiting<Value>>();
  #failure: { readonly error: Error } | undefined;

  add(value: Value): void {
    if (this.#failure) return;
    const [reader] = this.#waiting;
    if (reader === undefined) return this.#append({ value });
    this.#waiting.delete(reader);
    reader.resolve(value);
  }

  /** Readers that wait reject with the error, or the next one that reads. */
  addError(error: unknown): void {
    if (this.#failure) return;
    if (this.#waiting.size === 0) this.#append({ error });
    else this.#rejectAll(error);
  }

  /** Removes the errors that were not read yet. */
  clearErrors(): void {
    let entry = this.#first;
    this.#first = this.#last = undefined;
    while (entry !== undefined) {
      const { next } = entry;
      delete entry.next;
      if (!('error' in entry)) this.#append(entry);
      entry = next;
    }
  }

  /** Accepts no more values. Readers still receive the earlier ones. */
  fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error: error as Error };
    this.#rejectAll(error);
  }

  /** @param signal stops waiting, and takes nothing */
  async next(signal?: AbortSignal): Promise<Value> {
    signal?.throwIfAborted();
    const entry = this.#first;
    if (entry === undefined) return this.#wait(signal);
    this.#first = entry.next;
    if (this.#first === undefined) this.#last = undefined;
    if ('error' in entry) throw entry.error;
    return entry.value;
  }

  #wait(signal?: AbortSignal): Promise<Value> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(reader);
        reject(signal?.reason as Error);
      };
      const done = (): void => signal?.removeEventListener('abort', stop);
      const reader: Waiting<Value> = {
        resolve: (value) => {
          done();
          resolve(value);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.add(reader);
    });
  }

  #append(entry: Entry<Value>): void {
    if (this.#last === undefined) this.#first = entry;
    else this.#last.next = entry;
    this.#last = entry;
  }

  #rejectAll(error: unknown): void {
    for (const reader of this.#waiting) reader.reject(error as Error);
    this.#waiting.clear();
  }
}
