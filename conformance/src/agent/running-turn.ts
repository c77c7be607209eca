import { at, errorOf, isAnswerTo, type JournalEntry, type RawMessage, type ReplyError } from '../wire/messages.ts';
import type { Wire } from '../wire/wire.ts';
import { Frames } from './frames.ts';
import type { TurnTimeout } from '../wire/turn-timeout.ts';

/** The session and the content of a prompt, and further parameters. */
interface TurnPrompt {
  readonly sessionId: string;
  readonly prompt: string | readonly RawMessage[];
  readonly more?: RawMessage;
}

/** A turn, with all frames since its prompt in both directions. */
export class RunningTurn extends Frames {
  readonly sessionId: string;
  /** The prompt. */
  readonly request: JournalEntry;
  /** The journal index of the prompt. */
  readonly from: number;
  protected readonly wire: Wire;
  readonly #turns: TurnTimeout;
  readonly #timeout: number;

  constructor(wire: Wire, turns: TurnTimeout, { sessionId, prompt, more }: TurnPrompt) {
    const from = wire.journal.length;
    super(() => wire.journal.slice(from));
    this.sessionId = sessionId;
    this.wire = wire;
    this.#turns = turns;
    this.#timeout = turns.milliseconds;
    this.from = from;
    const blocks = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    this.send(turns, { sessionId, prompt: blocks, ...more });
    this.request = wire.journal[this.from] as JournalEntry;
  }

  protected send(turns: TurnTimeout, params: RawMessage): void {
    // The journal records the end, so no caller has to wait for it.
    turns.ask(this.wire, params).catch(() => undefined);
  }

  /** The message that ended the turn: in version 1 the answer to the prompt. */
  get answered(): JournalEntry | undefined {
    return this.answer;
  }

  /** The answer to the prompt. */
  get answer(): JournalEntry | undefined {
    return this.wire.received(this.from).find(({ message }) => isAnswerTo(this.#id, message))?.entry;
  }

  /** Evidence for the state of the turn: the message that ended it, or the prompt. */
  get entry(): JournalEntry {
    return this.answered ?? this.request;
  }

  get isOver(): boolean {
    return this.wire.hasEnded || this.answered !== undefined;
  }

  get stopReason(): unknown {
    return at(this.answered?.message, 'result', 'stopReason');
  }

  get error(): ReplyError | undefined {
    return errorOf((this.answered?.message ?? {}) as RawMessage);
  }

  cancel(): JournalEntry {
    return this.wire.notify('session/cancel', { sessionId: this.sessionId });
  }

  /** The agent's next line that matches, or undefined once the turn is over. */
  async until(fits: (message: RawMessage) => boolean): Promise<JournalEntry | undefined> {
    const either = (message: RawMessage): boolean => fits(message) || this.isEnd(message);
    const entry = await this.wire.next(either, { from: this.from, within: this.#timeout });
    return entry !== undefined && fits(entry.message as RawMessage) ? entry : undefined;
  }

  /** The message that ends the turn, or undefined if none arrives within the limit in milliseconds. */
  async endWithin(within: number): Promise<JournalEntry | undefined> {
    await this.wire.next((message) => this.isEnd(message), { from: this.from, within });
    // Without an answer to the prompt, an agent that has ended is to blame.
    if (this.answered === undefined && this.wire.hasEnded)
      await this.wire.answer(this.#id, { from: this.from, request: this.request });
    return this.answered;
  }

  /** Waits for the end. A slow turn is not a fault; an agent that exits during a turn is. */
  async end(): Promise<this> {
    if ((await this.endWithin(this.#timeout)) !== undefined) return this;
    let waited = this.#timeout;
    if (this.outputs.length > 0) {
      this.#turns.noteWork();
      const more = this.#turns.milliseconds;
      if ((await this.endWithin(more)) !== undefined) {
        this.#turns.note('ended');
        return this;
      }
      waited += more;
    }
    throw this.#turns.lateness(waited);
  }

  /** Whether the turn has ended with this message. */
  protected isEnd(message: RawMessage): boolean {
    return isAnswerTo(this.#id, message);
  }

  get #id(): unknown {
    return at(this.request.message, 'id');
  }
}
