import { shownPath } from './shown-path.ts';

/** The most that are listed; more are counted. */
const named = 5;

/** Files that a search could not read. */
export class UnreadFiles {
  readonly #complaints: string[] = [];

  readonly report = (complaint: string): void => void this.#complaints.push(complaint);

  /** Clears the list, for a new search. */
  clear(): void {
    this.#complaints.length = 0;
  }

  /** The note about them. Empty if there were none. */
  get remarks(): readonly string[] {
    if (this.#complaints.length === 0) return [];
    const more = this.#complaints.length - named;
    const list = this.#complaints.slice(0, named).map(shownPath).join('; ');
    return [`Not searched: ${list}${more > 0 ? `; and ${more} more` : ''}.`];
  }
}
