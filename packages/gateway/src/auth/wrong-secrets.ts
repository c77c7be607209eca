/** Wrong secrets of an address that are reported a minute. */
const reported = 10;
/** A minute, in milliseconds. */
const minute = 60_000;
/** Addresses that are remembered; the one that was wrong longest ago is forgotten for a new one. */
const most = 10_000;

/**
 * Decides which wrong secrets are reported, so that an address cannot fill a log. It locks no
 * address out: a token has 256 random bits, so a lock would not make it safer, and it would hit all users behind one address.
 */
export class WrongSecrets {
  readonly #minutes = new Map<string, { count: number; readonly since: number }>();
  readonly #now: () => number;

  /** @param now milliseconds since 1970. Default: the clock */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a wrong secret. Returns whether to report it. */
  count(address: string): boolean {
    const known = this.#minutes.get(address);
    const current =
      known !== undefined && this.#now() - known.since < minute ? known : { count: 0, since: this.#now() };
    current.count++;
    // The order of a map is that of insertion.
    this.#minutes.delete(address);
    const [oldest] = this.#minutes.keys();
    if (oldest !== undefined && this.#minutes.size >= most) this.#minutes.delete(oldest);
    this.#minutes.set(address, current);
    return current.count <= reported;
  }
}
