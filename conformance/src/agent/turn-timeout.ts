import { asMessage, type RawMessage, type Reply } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import type { Wire } from '../wire/wire.ts';

/** The number of late turns, with none in time, after which timeouts shrink. */
const enough = 3;
/** The share of the full timeout that remains then. */
const restPart = 0.1;
/** The upper bound for the shortened timeout, in milliseconds. */
const maxRemaining = 5_000;

/** The timeout in milliseconds once the total time is used up. */
const leastTimeout = 250;

/** An agent that works in its turns gets so many times `total`, although no turn ends. */
const forWorking = 3;

/**
 * A timeout for one kind of answer of an agent: the ends of turns, of calls that open sessions, of cancels, or all others. If turns never end,
 * for example without a model, every scenario would wait for the full timeout. Therefore the timeout shrinks after the first few late turns
 * until one ends in time, and all turns together wait no longer than `total`, from the first one on.
 */
export class TurnTimeout {
  readonly #full: number;
  readonly #total: number;
  /** When the first of them was sent. */
  #began: number | undefined;
  #isWorking = false;
  #late = 0;
  #hasEnded = false;

  /**
   * @param full the normal timeout of a turn, in milliseconds
   * @param total how long to wait for all turns if none ends, in milliseconds
   */
  constructor(full: number, total: number = Infinity) {
    this.#full = full;
    this.#total = total;
  }

  /** The normal timeout, in milliseconds. */
  get full(): number {
    return this.#full;
  }

  /** The timeout of the next turn, in milliseconds. */
  get milliseconds(): number {
    this.#began ??= performance.now();
    if (this.#hasEnded) return this.#full;
    const most = this.#late < enough ? this.#full : Math.min(this.#full * restPart, maxRemaining);
    const total = this.#isWorking ? forWorking * this.#total : this.#total;
    return Math.min(most, Math.max(leastTimeout, this.#began + total - performance.now()));
  }

  /** Takes notice of an agent that does something in a turn: it may be slow. */
  noteWork(): void {
    this.#isWorking = true;
  }

  /** Sends `session/prompt` and waits for its answer. A late answer stops the scenario. */
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

  /** Takes notice of a turn of version 2, whose end is not an answer: it ended by itself, or was late. */
  note(outcome: 'ended' | 'late'): void {
    if (outcome === 'ended') this.#hasEnded = true;
    else this.#late += 1;
  }

  /** Sends a request that creates or restores a session. A missing answer is a fault if it had the full timeout. */
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

  /** Stops the scenario because a turn, or `what`, exceeded a timeout in milliseconds. */
  lateness(waited: number, what = 'the turn did not end'): Stopped {
    const before =
      waited < this.#full && this.#late > 1 ? `, and earlier ones did not within ${inSeconds(this.#full)} seconds` : '';
    return new Stopped(`${what} within ${inSeconds(waited)} seconds${before}`);
  }
}

function inSeconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 100) / 10);
}
