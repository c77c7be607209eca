import { asMessage, type JournalEntry, type RawMessage, type Reply } from './messages.ts';
import { Stopped } from './stopped.ts';
import type { Wire } from './wire.ts';

/** The number of late answers, with none in time, after which timeouts shrink. */
const enough = 2;
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
 * for example without a model, every scenario would wait for the full timeout. Therefore the timeout shrinks after two late turns until one
 * ends in time, and all turns together wait no longer than `total`, from the first one on.
 */
export class TurnTimeout {
  readonly #full: number;
  readonly #total: number;
  /** When the first of them was sent. */
  #began: number | undefined;
  #isWorking = false;
  #late = 0;
  #hasEnded = false;
  /** The longest wait for an answer that did not come, in milliseconds, and its request. */
  #longest = 0;
  #unanswered: readonly JournalEntry[] = [];

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

  /** Whether the agent gave no answer of this kind, although several had all the time that there is. */
  get isSilent(): boolean {
    if (this.#hasEnded || this.#late < enough) return false;
    return this.#longest >= this.#full || performance.now() - (this.#began ?? Infinity) >= this.#total;
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
      this.note('late', within);
      throw this.lateness(within);
    }
  }

  /** Takes notice of an answer in time, or of one that did not come within a time in milliseconds. */
  note(outcome: 'ended' | 'late', waited: number = this.#full): void {
    if (outcome === 'ended') this.#hasEnded = true;
    else {
      this.#late += 1;
      this.#longest = Math.max(this.#longest, waited);
    }
  }

  /** Waits for an answer of this kind in a way that resolves with undefined after a time in milliseconds, and takes notice of the outcome. */
  async wait<Value>(answer: (within: number) => Promise<Value | undefined>): Promise<Value | undefined> {
    const within = this.milliseconds;
    const given = await answer(within);
    this.note(given === undefined ? 'late' : 'ended', within);
    return given;
  }

  /**
   * Sends a request that creates or restores a session. A missing answer is a fault if it had the full time. An agent that is known not to
   * answer is not asked again.
   */
  async start(wire: Wire, method: string, params: unknown): Promise<Reply> {
    this.refuseSilent(method);
    const within = this.milliseconds;
    try {
      const reply = await wire.ask(method, params, { within });
      this.#hasEnded = true;
      return reply;
    } catch (error) {
      if (wire.hasEnded) throw error;
      this.note('late', within);
      if (error instanceof Stopped) this.#unanswered = error.evidence;
      this.refuseSilent(method);
      throw within < this.#full ? this.lateness(within, `${method} was not answered`) : error;
    }
  }

  /** Stops the scenario if the agent is known not to answer: then nothing that needs the answer can be seen. */
  refuseSilent(method: string): void {
    if (!this.isSilent) return;
    const reason = `the agent did not answer ${method} within ${inSeconds(this.#longest)} seconds, ${this.#late} times`;
    throw new Stopped(reason, { requirement: 'R019', evidence: this.#unanswered });
  }

  /** Stops the scenario because a turn, or `what`, exceeded a timeout in milliseconds. */
  lateness(waited: number, what = 'the turn did not end'): Stopped {
    const before =
      waited < this.#longest && this.#late > 1
        ? `, and earlier ones did not within ${inSeconds(this.#longest)} seconds`
        : '';
    return new Stopped(`${what} within ${inSeconds(waited)} seconds${before}`);
  }
}

function inSeconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 100) / 10);
}
