/** What a user has to be told once. */
export class PendingWarnings {
  #warnings: readonly string[];

  constructor(warnings: readonly string[]) {
    this.#warnings = warnings;
  }

  /** What was not told before: from now on it was. */
  take(): readonly string[] {
    const warnings = this.#warnings;
    this.#warnings = [];
    return warnings;
  }
}
