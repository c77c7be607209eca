/** What a person has to be told once. */
export class UntoldTroubles {
  #troubles: readonly string[];

  constructor(troubles: readonly string[]) {
    this.#troubles = troubles;
  }

  /** What was not told before: from now on it was. */
  take(): readonly string[] {
    const troubles = this.#troubles;
    this.#troubles = [];
    return troubles;
  }
}
