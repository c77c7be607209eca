/** How long connections are counted together, in milliseconds. */
const window = 60_000;

/** Bounds how often each principal connects: a client that comes back in a loop is refused until the minute is over. */
export class ConnectLimit {
  readonly #most: number;
  readonly #now: () => number;
  readonly #counts = new WeakMap<object, { readonly since: number; count: number }>();

  /**
   * @param most connections of a principal within a minute
   * @param now milliseconds since 1970. Default: the clock
   */
  constructor(most: number, now: () => number = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  /** Counts a connection. False if it is one too many, and has to be refused. */
  admit(principal: object): boolean {
    const known = this.#counts.get(principal);
    const counted = known && this.#now() - known.since < window ? known : { since: this.#now(), count: 0 };
    if (counted !== known) this.#counts.set(principal, counted);
    return ++counted.count <= this.#most;
  }
}
