/** Defects of an answer that a retry may fix. */
export type Defect = 'empty' | 'broke-off' | 'malformed';

/** How many consecutive answers may have the defect; one more ends the turn. */
const tolerated: Readonly<Record<Defect, number>> = { empty: 2, 'broke-off': 2, malformed: 4 };

/** Counts consecutive defective answers, so that retries end. */
export class TurnDefects {
  readonly #inARow: Record<Defect, number> = { empty: 0, 'broke-off': 0, malformed: 0 };

  /** Counts an answer with this defect. Returns true while a retry makes sense. */
  again(warning: Defect): boolean {
    this.#inARow[warning] += 1;
    return this.#inARow[warning] <= tolerated[warning];
  }

  /** Resets the counts after a good answer. */
  clear(): void {
    for (const warning of Object.keys(this.#inARow) as Defect[]) this.#inARow[warning] = 0;
  }
}
