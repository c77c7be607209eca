import type { Passage } from './passage.ts';

/** Which texts to search. */
export interface TextQuery {
  /** Only sessions of this tenant. */
  readonly tenant: string;
  /** Only this session. Default: all. */
  readonly session?: string | undefined;
  /** Words: a passage matches if it has a word that begins with each of them, in any order, whatever the case and the accents. */
  readonly text: string;
  /** The maximum number of sessions. */
  readonly limit: number;
}

/** A session whose texts match a query, and its newest matches, at most {@link mostMatches}. */
export interface FoundSession<Record> {
  readonly record: Record;
  readonly passages: readonly Passage[];
}

/** The maximum number of matches of a session. */
export const mostMatches: number = 3;
/** The number of matches, newest first, that a search looks at. Sessions with only older matches are not found. */
export const mostScanned: number = 5_000;

/** Groups matches, newest first, by their sessions, until there are enough. */
export class FoundSessions<Record> {
  readonly #limit: number;
  readonly #found = new Map<string, { readonly record: () => Record; readonly passages: Passage[] }>();
  #scanned = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a match. Returns whether more of them can change the result. */
  add(session: string, passage: Passage, record: () => Record): boolean {
    const known = this.#found.get(session);
    if (!known && this.#found.size >= this.#limit) return false;
    if (!known) this.#found.set(session, { record, passages: [passage] });
    else if (known.passages.length < mostMatches) known.passages.push(passage);
    return ++this.#scanned < mostScanned;
  }

  /** The sessions, those with the newest match first. */
  get all(): readonly FoundSession<Record>[] {
    return [...this.#found.values()].map(({ record, passages }) => ({ record: record(), passages }));
  }
}
