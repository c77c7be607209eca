import type { FrameFlaw } from '@turnwire/trace';
import type { Subject } from '../requirements/requirement.ts';

/** A JSON-RPC message as it was received: nothing about it is certain. */
export type RawMessage = { readonly [key: string]: unknown };

/** A line of the wire, or something else that happened on it. */
export interface JournalEntry {
  /** Milliseconds since the connection began. */
  readonly at: number;
  readonly from: Subject;
  /** The line, without its end. Of bytes that are not UTF-8: with replacement characters. */
  readonly text: string;
  /** The text parsed; absent if it is not JSON. */
  readonly message?: unknown;
  /** What is wrong with the line as bytes: not UTF-8, cut off, too long. */
  readonly flaw?: FrameFlaw;
}

/** Everything that went over one connection, in order. */
export class Journal {
  readonly #began = performance.now();
  readonly #entries: JournalEntry[] = [];

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  add(from: Subject, text: string, flaw?: JournalEntry['flaw']): JournalEntry {
    const at = performance.now() - this.#began;
    const message = parsed(text);
    const entry = { at, from, text, ...(message !== undefined && { message }), ...(flaw !== undefined && { flaw }) };
    this.#entries.push(entry);
    return entry;
  }
}

/** JSON as a value; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
