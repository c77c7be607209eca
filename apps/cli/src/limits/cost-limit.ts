import type { SessionUpdate } from '@turnwire/protocol';

/** Watches the cost of a session as the agent reports it, in the agent's currency. */
export class CostLimit {
  readonly #most: number | undefined;
  #isTold = false;

  constructor(most: number | undefined) {
    this.#most = most;
  }

  /** The reason to stop, the first time the session has cost more than allowed. */
  exceededBy(update: SessionUpdate): string | undefined {
    if (this.#most === undefined || this.#isTold || update.sessionUpdate !== 'usage_update' || !('cost' in update))
      return undefined;
    const { cost } = update;
    if (!cost || cost.amount <= this.#most) return undefined;
    this.#isTold = true;
    return `stopped: the session has cost ${cost.amount} ${cost.currency}, more than --max-cost ${this.#most} allows`;
  }
}
