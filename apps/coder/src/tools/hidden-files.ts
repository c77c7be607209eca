import type { ToolContext } from './tool.ts';

/** Leaves out files that rules protect from reading, and counts them. */
export class HiddenFiles {
  readonly #permissions: ToolContext['permissions'];
  readonly #by: 'read' | 'search';
  #count = 0;

  /** @param by the kind of access: a rule may apply to searches only */
  constructor(permissions: ToolContext['permissions'], by: 'read' | 'search') {
    this.#permissions = permissions;
    this.#by = by;
  }

  /** Whether a file is left out. @param path absolute, links resolved */
  hides(path: string): boolean {
    const reason = this.#permissions?.forbidsReading(path) ?? this.#permissions?.forbidsReading(path, this.#by);
    if (reason !== undefined) this.#count++;
    return reason !== undefined;
  }

  /** The note about them. Empty if there were none. */
  get notes(): readonly string[] {
    if (this.#count === 0) return [];
    return [`Left out by permission rules: ${this.#count === 1 ? 'one file' : `${this.#count} files`}.`];
  }
}
