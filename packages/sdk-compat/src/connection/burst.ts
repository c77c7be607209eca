/** Notifications in one turn of the event loop that wait until they were written. */
const waitingInTurn = 64;
/** A burst of long messages lasts while a turn sends more than this: few of them fill the stream. */
const fewInTurn = 3;

const { setImmediate = setTimeout } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };

/**
 * Recognizes bursts of notifications. A program that awaits each of thousands would write each on its own; in a burst they are
 * queued, and leave together.
 */
export class Burst {
  #sent = 0;
  #isOn = false;

  /** Counts a notification. @returns whether it need not wait until it was written */
  add(): boolean {
    this.#sent += 1;
    if (this.#sent === 1) setImmediate(this.#endTurn);
    return this.#isOn || this.#sent > waitingInTurn;
  }

  readonly #endTurn = (): void => {
    this.#isOn = this.#sent > (this.#isOn ? fewInTurn : waitingInTurn);
    this.#sent = 0;
  };
}
