/** Reports of wrong secrets for each address and minute. */
const reported = 10;
/** In milliseconds. */
const minute = 60_000;
/** Remembered addresses. A new one replaces the one whose last wrong secret is the oldest. */
const most = 10_000;

/**
 * Decides which wrong secrets are reported, so that an address cannot fill a log. It never locks an address out: a token has 256 random bits, so a
 * lock would not make it safer, and it would affect all users behind one address.
 */
export class WrongSecrets {
  readonly #minutes = new Map<string, { count: number; readonly since: number }>();
  readonly #now: () => number;

  /** @param now milliseconds since 1970. Default: the clock */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a wrong secret. @returns whether to report it */
  count(address: string): boolean {
    const known = this.#minutes.get(address);
    const current =
      known !== undefined && this.#now() - known.since < minute ? known : { count: 0, since: this.#now() };
    current.count++;
    // A map keeps the order of insertion.
    this.#minutes.delete(address);
    const [oldest] = this.#minutes.keys();
    if (oldest !== undefined && this.#minutes.size >= most) this.#minutes.delete(oldest);
    this.#minutes.set(address, current);
    return current.count <= reported;
  }
}
