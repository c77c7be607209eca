/** The period in which connections are counted, in milliseconds. */
const window = 60_000;

/** Limits how often each principal connects: a client that reconnects in a loop is refused until the minute is over. */
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

  /** Counts a connection. @returns whether it is within the limit */
  admit(principal: object): boolean {
    const known = this.#counts.get(principal);
    const counted = known && this.#now() - known.since < window ? known : { since: this.#now(), count: 0 };
    if (counted !== known) this.#counts.set(principal, counted);
    return ++counted.count <= this.#most;
  }
}
