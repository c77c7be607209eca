/** The number of recent measurements that count, because a clock may be adjusted while the page is open. */
const mostMeasured = 20;

/** The server's time, estimated from how far the local clock is ahead of it. */
export class ServerClock {
  readonly #localTime: () => number;
  #leads: readonly number[] = [];

  /** @param localTime the clock of this machine, in milliseconds since 1970 */
  constructor(localTime: () => number = Date.now) {
    this.#localTime = localTime;
  }

  /** Milliseconds since 1970. The local time until the first measurement. */
  now(): number {
    // Delay makes this machine seem further ahead than it is, so the fastest message is the most accurate.
    return this.#localTime() - (this.#leads.length === 0 ? 0 : Math.min(...this.#leads));
  }

  /** Records that the server has just sent a message with this time. */
  measure(at: number): void {
    if (Number.isFinite(at)) this.#leads = [...this.#leads, this.#localTime() - at].slice(-mostMeasured);
  }
}

/** The clock of this page's server. */
export const serverClock: ServerClock = new ServerClock();
