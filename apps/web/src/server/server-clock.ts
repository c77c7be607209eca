/** How many measurements count: the clock of a machine may be set while the page is open. */
const mostMeasured = 20;

/** The time of the server, by how far the clock of this machine is ahead of it. */
export class ServerClock {
  readonly #localTime: () => number;
  #leads: readonly number[] = [];

  /** @param localTime the clock of this machine, in milliseconds since 1970 */
  constructor(localTime: () => number = Date.now) {
    this.#localTime = localTime;
  }

  /** In milliseconds since 1970. Until something was measured it is the time of this machine. */
  now(): number {
    // What arrives late makes this machine seem further ahead than it is: the fastest message is nearest to the truth.
    return this.#localTime() - (this.#leads.length === 0 ? 0 : Math.min(...this.#leads));
  }

  /** Something arrived that the server sent just now, when its clock showed this time. */
  measure(at: number): void {
    if (Number.isFinite(at)) this.#leads = [...this.#leads, this.#localTime() - at].slice(-mostMeasured);
  }
}

/** The clock of the server of this page. */
export const serverClock: ServerClock = new ServerClock();
