import { asMessage, type RawMessage, type Reply } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import type { Wire } from '../wire/wire.ts';

/** How many turns have to be late, and none in time, before less is waited for the next. */
const enough = 3;
/** Part of the time that is left to turns then, and the most it may be, in milliseconds. */
const restPart = 0.1;
const longestRest = 5_000;

/** What is left to a turn when the time of all of them is over, in milliseconds. */
const lastGlance = 250;

/**
 * How long the ends of an agent's turns, or answers that begin sessions, are waited for. Where turns never end, such as without a model, every scenario would wait its whole
 * time: once some were waited for in vain and none ever ended, the next are given little, until one ends; and all of them together no more
 * than `altogether`.
 */
export class TurnPatience {
  readonly #full: number;
  readonly #end: number;
  #late = 0;
  #hasEnded = false;

  /**
   * @param full how long a turn is waited for as long as there is hope, in milliseconds
   * @param altogether how long turns are waited for from now on if none ends, in milliseconds
   */
  constructor(full: number, altogether: number = Infinity) {
    this.#full = full;
    this.#end = performance.now() + altogether;
  }

  /** How long the next turn is waited for, in milliseconds. */
  get milliseconds(): number {
    if (this.#hasEnded) return this.#full;
    const most = this.#late < enough ? this.#full : Math.min(this.#full * restPart, longestRest);
    return Math.min(most, Math.max(lastGlance, this.#end - performance.now()));
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

  /** Sends a request that begins a session, or brings one back. That no answer comes is a fault, if it was given the whole time. */
  async start(wire: Wire, method: string, params: unknown): Promise<Reply> {
    const within = this.milliseconds;
    try {
      const reply = await wire.ask(method, params, { within });
      this.#hasEnded = true;
      return reply;
    } catch (error) {
      if (wire.hasEnded) throw error;
      this.#late += 1;
      throw within < this.#full ? this.lateness(within, `${method} was not answered`) : error;
    }
  }

  /** What to say of a turn that was waited for so long, in milliseconds. */
  lateness(waited: number, what = 'the turn did not end'): Stopped {
    const before = waited < this.#full ? `, and none before it within ${inSeconds(this.#full)}` : '';
    return new Stopped(`${what} within ${inSeconds(waited)} seconds${before}`);
  }
}

function inSeconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 100) / 10);
}
