/**
 * What a turn has received and nobody has read yet. One reader. While someone reads, a full queue holds the agent back;
 * while nobody does, it keeps the newest. Putting and taking cost the same however long it is.
 */
export class UpdateQueue<Item> {
  readonly #capacity: number;
  #items: Item[] = [];
  #head = 0;
  #reading: 'not-yet' | 'holding' | 'yielding' | 'never' = 'not-yet';
  #end: { readonly error?: unknown } | undefined;
  #arrived: (() => void) | undefined;
  #taken: (() => void) | undefined;
  #dropped = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** How many items were lost because nobody read them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @returns nothing while there is room; otherwise a promise that resolves when there is */
  put(item: Item): Promise<void> | undefined {
    if (this.#end || this.#reading === 'never') return undefined;
    this.#items.push(item);
    this.#arrived?.();
    if (this.#size <= this.#capacity) return undefined;
    if (this.#reading === 'holding') return new Promise((resolve) => (this.#taken = resolve));
    this.#take();
    this.#dropped++;
    return undefined;
  }

  /** Nothing more will come; the reader gets what is left, then the error if there is one. */
  end(outcome: { readonly error?: unknown } = {}): void {
    this.#end ??= outcome;
    this.#arrived?.();
    this.letGo();
  }

  /** From now on a full queue loses its oldest item rather than hold the agent back. */
  letGo(): void {
    if (this.#reading === 'holding') this.#reading = 'yielding';
    this.#taken?.();
  }

  /** Nobody will read: what is there and what comes is thrown away. Does nothing once someone reads. */
  discard(): void {
    if (this.#reading === 'not-yet') this.#stop();
  }

  /** @throws Error if someone reads already, or nobody was going to */
  read(): AsyncIterator<Item, undefined> {
    if (this.#reading === 'never')
      throw new Error('The updates of this turn are gone: iterate a turn before you await it');
    if (this.#reading !== 'not-yet')
      throw new Error('The updates of this turn are being read already; a turn has one reader');
    this.#reading = this.#end ? 'yielding' : 'holding';
    const leave = async (): Promise<IteratorResult<Item, undefined>> => this.#stop();
    return { next: () => this.#next(), return: leave };
  }

  /** By hand, for an async generator costs three promises an item. */
  #next(): Promise<IteratorResult<Item, undefined>> {
    if (this.#size > 0) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#end) return this.#finish(this.#end);
    return new Promise<void>((resolve) => (this.#arrived = resolve)).then(() => this.#next());
  }

  async #finish(end: { readonly error?: unknown }): Promise<IteratorResult<Item, undefined>> {
    this.#end = {};
    const done = this.#stop();
    if ('error' in end) throw end.error;
    return done;
  }

  get #size(): number {
    return this.#items.length - this.#head;
  }

  #take(): Item {
    const item = this.#items[this.#head++] as Item;
    // Read items are cut off in bulk, so each is moved once on average.
    if (this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    if (this.#size <= this.#capacity) this.#taken?.();
    return item;
  }

  #stop(): IteratorReturnResult<undefined> {
    this.#reading = 'never';
    this.#items = [];
    this.#head = 0;
    this.#taken?.();
    return { done: true, value: undefined };
  }
}
