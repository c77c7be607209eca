/** Warnings for the user that are shown once. */
export class PendingWarnings {
  #warnings: readonly string[];

  constructor(warnings: readonly string[]) {
    this.#warnings = warnings;
  }

  /** The new warnings; they are not returned again. */
  take(): readonly string[] {
    const warnings = this.#warnings;
    this.#warnings = [];
    return warnings;
  }
}
