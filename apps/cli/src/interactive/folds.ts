/** Which items of a pager are shown in full, and which one is chosen. Items are known by their index. */
export class Folds {
  /** The chosen item, which Enter folds and unfolds. */
  chosen: number | undefined;
  #unfoldsMost: boolean;
  /** The items that differ from most. */
  readonly #others = new Set<number>();

  /**
   * @param unfoldsMost whether items are shown in full until the user folds them
   * @param chosen the item that is chosen, and shown in full. Default: none
   */
  constructor(unfoldsMost: boolean, chosen?: number) {
    this.#unfoldsMost = unfoldsMost;
    this.chosen = chosen;
    if (chosen !== undefined && !unfoldsMost) this.#others.add(chosen);
  }

  isUnfolded(index: number): boolean {
    return this.#others.has(index) !== this.#unfoldsMost;
  }

  toggle(index: number): void {
    if (!this.#others.delete(index)) this.#others.add(index);
  }

  /** Unfolds every item; folds all if the chosen one is unfolded. */
  toggleAll(): void {
    this.#unfoldsMost = this.chosen === undefined ? !this.#unfoldsMost : !this.isUnfolded(this.chosen);
    this.#others.clear();
  }
}
