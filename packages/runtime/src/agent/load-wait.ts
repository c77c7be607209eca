import { pause } from '@turnwire/machine/waits';

/** Milliseconds between two readings of the clock. */
const longestPause = 1_000;

/** Delays loading a session until its agent can do it safely. */
export class LoadWait {
  readonly #notBefore: (setUpAt: number) => number;
  #setUpAt: number | undefined;

  /**
   * @param notBefore returns the earliest time to load a session, given the time when it was last created or loaded
   * @param setUpAt that time, if it is known
   */
  constructor(notBefore: (setUpAt: number) => number, setUpAt: number | undefined) {
    this.#notBefore = notBefore;
    this.#setUpAt = setUpAt;
  }

  /** Records that the session is created or loaded now. */
  setUp(): void {
    this.#setUpAt = Date.now();
  }

  /** The wait before loading, if one is necessary. */
  begin(): { readonly until: number; readonly title: string; readonly description: string } | undefined {
    const now = Date.now();
    const until = this.#notBefore(this.#setUpAt ?? now);
    if (until <= now) return undefined;
    const title = `Waiting ${Math.ceil((until - now) / 1000)} s before the session is loaded`;
    const description = 'This agent would lose its stored session if it were loaded any sooner.';
    return { until, title, description };
  }

  /** Resolves at a time, or when the signal aborts. */
  async over(until: number, signal: AbortSignal): Promise<void> {
    // A timer may be early, and the clock may be changed in the meantime.
    for (let left = until - Date.now(); left > 0 && !signal.aborted; left = until - Date.now())
      await pause(Math.min(left, longestPause), signal).catch(() => undefined);
  }
}
