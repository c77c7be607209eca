import type { ToolContext } from './tool.ts';

/** Leaves out the files that rules forbid to look into, and counts them. */
export class HiddenFiles {
  readonly #permissions: ToolContext['permissions'];
  readonly #by: 'read' | 'search';
  #count = 0;

  /** @param by what looks: rules can be about searching alone */
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

  /** What to say of them. Empty when there were none. */
  get remarks(): readonly string[] {
    if (this.#count === 0) return [];
    return [`Left out by permission rules: ${this.#count === 1 ? 'one file' : `${this.#count} files`}.`];
  }
}
