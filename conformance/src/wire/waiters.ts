interface Waiter<Value> {
  readonly fits: (entry: Value) => boolean;
  readonly settle: (entry: Value | undefined) => void;
}

/** Callers that wait for a line or another value. */
export class Waiters<Value> {
  readonly #waiting = new Set<Waiter<Value>>();

  /** Resolves with the first matching value; with undefined after the limit in milliseconds, or at the end. */
  wait(fits: (entry: Value) => boolean, within: number): Promise<Value | undefined> {
    return new Promise((resolve) => {
      const settle = (entry: Value | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(entry);
      };
      const waiter = { fits, settle };
      const timer = setTimeout(settle, within, undefined);
      this.#waiting.add(waiter);
    });
  }

  offer(entry: Value): void {
    for (const waiter of this.#waiting) if (waiter.fits(entry)) waiter.settle(entry);
  }

  end(): void {
    for (const waiter of this.#waiting) waiter.settle(undefined);
  }
}

/** Received values, with callers that wait for more. */
export class Arrivals<Value> {
  readonly all: Value[] = [];
  readonly #waiters = new Waiters<Value>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  add(value: Value): void {
    this.all.push(value);
    this.#waiters.offer(value);
  }

  end(): void {
    this.#isOver = true;
    this.#waiters.end();
  }

  /** Resolves with the first matching value, past or future; with undefined after the limit in milliseconds, or at the end. */
  find(fits: (value: Value) => boolean, within: number): Promise<Value | undefined> {
    const known = this.all.find((value) => fits(value));
    return known !== undefined || this.#isOver ? Promise.resolve(known) : this.#waiters.wait(fits, within);
  }
}
