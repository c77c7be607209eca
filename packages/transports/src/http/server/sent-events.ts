/** The last events of a stream, numbered, for a client whose stream was cut. */
export class SentEvents {
  readonly #maxText: number;
  readonly #events: string[] = [];
  #text = 0;
  #last = 0;

  /** @param maxText how much is kept, in UTF-16 units */
  constructor(maxText: number) {
    this.#maxText = maxText;
  }

  /** Keeps an event. @returns it with its number: the field `id` */
  add(event: string): string {
    const numbered = `id: ${++this.#last}\n${event}`;
    this.#events.push(numbered);
    this.#text += numbered.length;
    while (this.#text > this.#maxText) this.#text -= this.#events.shift()?.length ?? 0;
    return numbered;
  }

  /** What came after the event with a number, oldest first. Undefined: not all of it is kept, or there was no such event. */
  after(id: string): readonly string[] | undefined {
    const missed = /^\d{1,15}$/.test(id) ? this.#last - Number(id) : Number.NaN;
    return missed >= 0 && missed <= this.#events.length ? this.#events.slice(this.#events.length - missed) : undefined;
  }
}
