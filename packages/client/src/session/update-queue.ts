/**
 * Unread updates of a turn. It has one reader. While the turn is read, a full queue slows the agent down; otherwise it keeps the newest. So
 * it stays short, and taking the first of an array is cheap.
 */
export class UpdateQueue<Item> {
  readonly #capacity: number;
  #items: Item[] = [];
  #reading: 'not-yet' | 'holding' | 'yielding' | 'never' = 'not-yet';
  #end: { readonly error?: unknown } | undefined;
  #arrived: (() => void) | undefined;
  #taken: (() => void) | undefined;
  #dropped = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Number of items that were lost because they were not read. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @returns undefined while there is capacity; otherwise a promise that resolves when there is */
  put(item: Item): Promise<void> | undefined {
    if (this.#end || this.#reading === 'never') return undefined;
    this.#items.push(item);
    this.#arrived?.();
    if (this.#items.length <= this.#capacity) return undefined;
    if (this.#reading === 'holding') return new Promise((resolve) => (this.#taken = resolve));
    this.#take();
    this.#dropped++;
    return undefined;
  }

  /** Ends the queue; the reader receives the remaining items, then the error if there is one. */
  end(outcome: { readonly error?: unknown } = {}): void {
    this.#end ??= outcome;
    this.#arrived?.();
    this.stopHolding();
  }

  /** From now on a full queue drops its oldest item instead of slowing the agent down. */
  stopHolding(): void {
    if (this.#reading === 'holding') this.#reading = 'yielding';
    this.#taken?.();
  }

  /** Discards all items, also future ones. Does nothing once reading has begun. */
  discard(): void {
    if (this.#reading === 'not-yet') this.#stop();
  }

  /** @throws Error if it is being read already, or was discarded */
  read(): AsyncIterator<Item, undefined> {
    if (this.#reading === 'never')
      throw new Error('The updates of this turn were discarded: iterate a turn before you await it');
    if (this.#reading !== 'not-yet')
      throw new Error('The updates of this turn are being read already; a turn can have only one reader');
    this.#reading = this.#end ? 'yielding' : 'holding';
    return { next: () => this.#next(), return: async () => this.#stop() };
  }

  /** Written by hand, since an async generator costs three promises per item. */
  #next(): Promise<IteratorResult<Item, undefined>> {
    if (this.#items.length > 0) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#end) return this.#finish(this.#end);
    return new Promise<void>((resolve) => (this.#arrived = resolve)).then(() => this.#next());
  }

  async #finish(end: { readonly error?: unknown }): Promise<IteratorResult<Item, undefined>> {
    this.#end = {};
    const done = this.#stop();
    if ('error' in end) throw end.error;
    return done;
  }

  #take(): Item {
    const item = this.#items.shift() as Item;
    if (this.#items.length <= this.#capacity) this.#taken?.();
    return item;
  }

  #stop(): IteratorReturnResult<undefined> {
    this.#reading = 'never';
    this.#items = [];
    this.#taken?.();
    return { done: true, value: undefined };
  }
}
