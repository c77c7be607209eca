import type { Subject } from '../requirements/requirement.ts';
import { type JournalEntry, parsed } from './messages.ts';

/** All frames of one connection, in order. */
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
