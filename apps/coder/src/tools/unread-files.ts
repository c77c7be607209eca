import { shownPath } from './shown-path.ts';

/** The most files to list; the others are only counted. */
const named = 5;

/** Files that a search could not read. */
export class UnreadFiles {
  readonly #warnings: string[] = [];

  readonly report = (warning: string): void => void this.#warnings.push(warning);

  /** Clears the list, for a new search. */
  clear(): void {
    this.#warnings.length = 0;
  }

  /** The note about them. Empty if there were none. */
  get notes(): readonly string[] {
    if (this.#warnings.length === 0) return [];
    const more = this.#warnings.length - named;
    const list = this.#warnings.slice(0, named).map(shownPath).join('; ');
    return [`Not searched: ${list}${more > 0 ? `; and ${more} more` : ''}.`];
  }
}
