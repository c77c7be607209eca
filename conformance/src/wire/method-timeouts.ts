import type { AnswerLimits, AnswerTimeout } from './wire.ts';
import { TurnTimeout } from './turn-timeout.ts';

/** The methods that open a session: agents start programs for them. */
const opening: ReadonlySet<string> = new Set(['session/new', 'session/load', 'session/resume']);

/** The timeouts of all answers of one subject, by kind: one that never answers a method has not thereby failed to answer others. */
export class MethodTimeouts implements AnswerLimits {
  /** Of the methods that open a session. */
  readonly starts: TurnTimeout;
  readonly full: number;
  readonly #total: number;
  readonly #others = new Map<string, TurnTimeout>();

  /** @param limits the timeouts of an answer and of the start of a session, and of all answers of a kind if none comes, in milliseconds */
  constructor({ answer, start, total = Infinity }: { answer: number; start: number; total?: number }) {
    this.full = answer;
    this.starts = new TurnTimeout(start, total);
    this.#total = total;
  }

  of(kind: string): AnswerTimeout {
    if (opening.has(kind)) return this.starts;
    const known = this.#others.get(kind) ?? new TurnTimeout(this.full, this.#total);
    this.#others.set(kind, known);
    return known;
  }
}
