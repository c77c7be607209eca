import type { SessionUpdate } from '@turnwire/protocol';

/** Watches the cost of a session as the agent reports it, in the agent's currency. */
export class CostLimit {
  readonly #most: number | undefined;
  #isExceeded = false;
  #isReported = false;
  #hasWarned = false;

  constructor(most: number | undefined) {
    this.#most = most;
  }

  /** The reason to stop, the first time the session has cost more than allowed. */
  exceededBy(update: SessionUpdate): string | undefined {
    if (this.#most === undefined || update.sessionUpdate !== 'usage_update' || !('cost' in update)) return undefined;
    const { cost } = update;
    if (!cost) return undefined;
    this.#isReported = true;
    if (this.#isExceeded || cost.amount <= this.#most) return undefined;
    this.#isExceeded = true;
    // Sums of fractions have digits that were never paid.
    const amount = Number(cost.amount.toFixed(6));
    return `stopped: the session has cost ${amount} ${cost.currency}, more than the limit of ${this.#most}`;
  }

  /** What to report when a turn has ended, once: the limit limits nothing if the agent reports no cost. */
  warning(): string | undefined {
    if (this.#most === undefined || this.#isReported || this.#hasWarned) return undefined;
    this.#hasWarned = true;
    return `the agent reports no cost, so the limit of ${this.#most} limits nothing`;
  }
}
