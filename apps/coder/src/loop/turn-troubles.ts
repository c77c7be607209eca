/** What can go wrong with an answer of a model so that asking again may help. */
export type Trouble = 'empty' | 'broke-off' | 'malformed';

/** How many answers in a row may have the trouble; one more ends the turn. */
const patience: Readonly<Record<Trouble, number>> = { empty: 2, 'broke-off': 2, malformed: 4 };

/** Counts answers in a row that were of no use, so that a model that makes nothing else is not asked for ever. */
export class TurnTroubles {
  readonly #inARow: Record<Trouble, number> = { empty: 0, 'broke-off': 0, malformed: 0 };

  /** Another answer had this trouble. True while it is worth asking again. */
  again(trouble: Trouble): boolean {
    this.#inARow[trouble] += 1;
    return this.#inARow[trouble] <= patience[trouble];
  }

  /** An answer was of use. */
  clear(): void {
    for (const trouble of Object.keys(this.#inARow) as Trouble[]) this.#inARow[trouble] = 0;
  }
}
