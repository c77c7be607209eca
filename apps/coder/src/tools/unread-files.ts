import { shownPath } from './shown-path.ts';

/** More are counted. */
const named = 5;

/** What could not be looked at while something was looked for. */
export class UnreadFiles {
  readonly #complaints: string[] = [];

  readonly tell = (complaint: string): void => void this.#complaints.push(complaint);

  /** Forgets everything: the looking begins anew. */
  clear(): void {
    this.#complaints.length = 0;
  }

  /** What to say of them. Empty when there were none. */
  get remarks(): readonly string[] {
    if (this.#complaints.length === 0) return [];
    const more = this.#complaints.length - named;
    const list = this.#complaints.slice(0, named).map(shownPath).join('; ');
    return [`Not looked at: ${list}${more > 0 ? `; and ${more} more` : ''}.`];
  }
}
