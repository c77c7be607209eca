import type { SessionUpdate } from '@turnwire/protocol';

/** Watches what an agent says a session has cost. The amount is in whatever currency the agent counts in. */
export class CostLimit {
  readonly #most: number | undefined;
  #isTold = false;

  constructor(most: number | undefined) {
    this.#most = most;
  }

  /** Why to stop, the first time the session has cost more than it may. */
  exceededBy(update: SessionUpdate): string | undefined {
    if (this.#most === undefined || this.#isTold || update.sessionUpdate !== 'usage_update' || !('cost' in update))
      return undefined;
    const { cost } = update;
    if (!cost || cost.amount <= this.#most) return undefined;
    this.#isTold = true;
    return `stopped: the session has cost ${cost.amount} ${cost.currency}, more than --max-cost ${this.#most} allows`;
  }
}
