/** What can go wrong with an answer of a model so that asking again may help. */
export type Defect = 'empty' | 'broke-off' | 'malformed';

/** How many answers in a row may have the warning; one more ends the turn. */
const patience: Readonly<Record<Defect, number>> = { empty: 2, 'broke-off': 2, malformed: 4 };

/** Counts answers in a row that were of no use, so that a model that makes nothing else is not asked for ever. */
export class TurnDefects {
  readonly #inARow: Record<Defect, number> = { empty: 0, 'broke-off': 0, malformed: 0 };

  /** Another answer had this warning. True while it is worth asking again. */
  again(warning: Defect): boolean {
    this.#inARow[warning] += 1;
    return this.#inARow[warning] <= patience[warning];
  }

  /** An answer was of use. */
  clear(): void {
    for (const warning of Object.keys(this.#inARow) as Defect[]) this.#inARow[warning] = 0;
  }
}
