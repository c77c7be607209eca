import {
  at,
  errorOf,
  isAnswerTo,
  type JournalEntry,
  type RawMessage,
  type Reply,
  type ReplyError,
} from '../wire/messages.ts';
import type { Wire } from '../wire/wire.ts';
import { Frames } from './frames.ts';
import type { TurnPatience } from './turn-patience.ts';

/** A turn, with everything since its prompt, both ways. */
export class RunningTurn extends Frames {
  readonly sessionId: string;
  /** The prompt, and its place in the journal. */
  readonly request: JournalEntry;
  readonly from: number;
  readonly #wire: Wire;
  readonly #turns: TurnPatience;
  readonly #patience: number;

  constructor(
    wire: Wire,
    turns: TurnPatience,
    { sessionId, prompt }: { readonly sessionId: string; readonly prompt: string | readonly RawMessage[] },
  ) {
    const from = wire.journal.length;
    super(() => wire.journal.slice(from));
    this.sessionId = sessionId;
    this.#wire = wire;
    this.#turns = turns;
    this.#patience = turns.milliseconds;
    this.from = from;
    const blocks = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    // The journal waits for the end, so that no caller has to.
    turns.ask(wire, { sessionId, prompt: blocks }).catch(() => undefined);
    this.request = wire.journal[this.from] as JournalEntry;
  }

  get answered(): JournalEntry | undefined {
    return this.#wire.received(this.from).find(({ message }) => this.#isAnswer(message))?.entry;
  }

  /** The last that shows how it stands: the answer, or the prompt. */
  get entry(): JournalEntry {
    return this.answered ?? this.request;
  }

  get isOver(): boolean {
    return this.#wire.hasEnded || this.answered !== undefined;
  }

  get stopReason(): unknown {
    return at(this.answered?.message, 'result', 'stopReason');
  }

  get error(): ReplyError | undefined {
    return errorOf((this.answered?.message ?? {}) as RawMessage);
  }

  cancel(): JournalEntry {
    return this.#wire.notify('session/cancel', { sessionId: this.sessionId });
  }

  /** The next line of the agent that fits, or undefined once the turn is over. */
  async until(fits: (message: RawMessage) => boolean): Promise<JournalEntry | undefined> {
    const either = (message: RawMessage): boolean => fits(message) || this.#isAnswer(message);
    const entry = await this.#wire.next(either, { from: this.from, within: this.#patience });
    return entry !== undefined && fits(entry.message as RawMessage) ? entry : undefined;
  }

  /** The answer, or undefined if none comes within so many milliseconds. */
  async endWithin(within: number): Promise<Reply | undefined> {
    const entry = await this.#wire.next((message) => this.#isAnswer(message), { from: this.from, within });
    if (entry === undefined && !this.#wire.hasEnded) return undefined;
    return this.#wire.answer(this.#id, { from: this.from, request: this.request });
  }

  /** The turn with its answer. One that takes too long is not a fault; an agent that exits before its end is one. */
  async end(): Promise<this> {
    if ((await this.endWithin(this.#patience)) === undefined) throw this.#turns.lateness(this.#patience);
    return this;
  }

  #isAnswer(message: RawMessage): boolean {
    return isAnswerTo(this.#id, message);
  }

  get #id(): unknown {
    return at(this.request.message, 'id');
  }
}
