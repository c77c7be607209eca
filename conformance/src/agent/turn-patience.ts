import { Stopped } from '../verdict/stopped.ts';
import type { RawMessage } from '../wire/journal.ts';
import { asMessage, type Reply } from '../wire/messages.ts';
import type { Wire } from '../wire/wire.ts';

/** How many turns have to be late, and none in time, before less is waited for the next. */
const enough = 3;
/** Part of the time that is left to turns then, and the most it may be, in milliseconds. */
const restPart = 0.1;
const longestRest = 5_000;

/**
 * How long the ends of an agent's turns are waited for. Where turns never end, such as without a model, every scenario would wait its whole
 * time: once some were waited for in vain and none ever ended, the next are given little, until one ends.
 */
export class TurnPatience {
  readonly #full: number;
  #late = 0;
  #hasEnded = false;

  /** @param full how long a turn is waited for as long as there is hope, in milliseconds */
  constructor(full: number) {
    this.#full = full;
  }

  /** How long the next turn is waited for, in milliseconds. */
  get milliseconds(): number {
    return this.#hasEnded || this.#late < enough ? this.#full : Math.min(this.#full * restPart, longestRest);
  }

  /** Sends `session/prompt`, and waits for its answer. Stops the scenario if it does not come in time. */
  async ask(wire: Wire, params: RawMessage): Promise<Reply> {
    const within = this.milliseconds;
    try {
      const reply = await wire.ask('session/prompt', params, { within });
      // A turn that we cancel has not ended by itself.
      this.#hasEnded ||= asMessage(reply.result)?.['stopReason'] !== 'cancelled';
      return reply;
    } catch (error) {
      if (wire.hasEnded) throw error;
      this.#late += 1;
      throw this.lateness(within);
    }
  }

  /** What to say of a turn that was waited for so long, in milliseconds. */
  lateness(waited: number): Stopped {
    const before = waited < this.#full ? `, and none before it within ${this.#full / 1000}` : '';
    return new Stopped(`the turn did not end within ${waited / 1000} seconds${before}`);
  }
}
