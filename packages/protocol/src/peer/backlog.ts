/** How often a paused connection checks whether messages are handled, in milliseconds. */
const stall = 1_000;

/**
 * Received text that waits for slow handlers. Over the limit reading pauses, so that a fast peer meets
 * backpressure instead of filling our memory. A handler may itself be waiting for a message that the
 * paused transport has not delivered; so when nothing is handled for a second or two the limit doubles, up to the hard one.
 */
export class Backlog {
  readonly #hardLimit: number;
  #limit: number;
  #size = 0;
  /** Something was handled since the last look. */
  #moved = false;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  constructor(limit: number, hardLimit: number) {
    this.#limit = limit;
    this.#hardLimit = hardLimit;
  }

  get isOverflowing(): boolean {
    return this.#size > this.#hardLimit;
  }

  add(size: number): void {
    this.#size += size;
  }

  remove(size: number): void {
    this.#size -= size;
    this.#moved = true;
    if (this.#size <= this.#limit / 2) this.#room?.open();
  }

  /** A promise to wait for while there is too much; nothing while there is room. */
  room(): Promise<void> | undefined {
    if (this.#size <= this.#limit) return undefined;
    return (this.#room ??= this.#pause()).promise;
  }

  #pause(): { readonly promise: Promise<void>; readonly open: () => void } {
    let resolve!: () => void;
    const promise = new Promise<void>((done) => (resolve = done));
    this.#moved = false;
    const timer = setInterval(() => {
      if (this.#moved) return void (this.#moved = false);
      this.#limit = Math.min(this.#limit * 2, this.#hardLimit);
      open();
    }, stall);
    const open = (): void => {
      clearInterval(timer);
      this.#room = undefined;
      resolve();
    };
    return { promise, open };
  }
}
