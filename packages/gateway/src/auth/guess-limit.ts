/** Wrong secrets that an address may send before it is locked out. */
const allowed = 10;
/** How long it is, from the last wrong one on, in milliseconds. */
const lockedFor = 60_000;
/** Addresses that are remembered; the one that was wrong longest ago is forgotten for a new one. */
const most = 10_000;

/** Locks out addresses that guess: after ten wrong secrets nothing is accepted from one for a minute, not even a right one. */
export class GuessLimit {
  readonly #wrong = new Map<string, { readonly count: number; readonly at: number }>();
  readonly #now: () => number;

  /** @param now milliseconds since 1970. Default: the clock */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether nothing is accepted from an address at the moment. */
  isLocked(address: string): boolean {
    const found = this.#wrong.get(address);
    return found !== undefined && found.count >= allowed && this.#now() - found.at < lockedFor;
  }

  /** Notes a wrong secret. */
  note(address: string): void {
    const found = this.#wrong.get(address);
    const count = found !== undefined && this.#now() - found.at < lockedFor ? found.count + 1 : 1;
    // The order of a map is that of insertion.
    this.#wrong.delete(address);
    const [oldest] = this.#wrong.keys();
    if (oldest !== undefined && this.#wrong.size >= most) this.#wrong.delete(oldest);
    this.#wrong.set(address, { count, at: this.#now() });
  }
}
