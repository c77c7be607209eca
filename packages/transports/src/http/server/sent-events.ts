/** The last events of a stream, numbered, for a client that reopens the stream. */
export class SentEvents {
  readonly #maxText: number;
  readonly #events: string[] = [];
  #text = 0;
  #last = 0;

  /** @param maxText limit of the kept text, in UTF-16 units */
  constructor(maxText: number) {
    this.#maxText = maxText;
  }

  /** Stores an event. @returns the event with its number in the field `id` */
  add(event: string): string {
    const numbered = `id: ${++this.#last}\n${event}`;
    this.#events.push(numbered);
    this.#text += numbered.length;
    while (this.#text > this.#maxText) this.#text -= this.#events.shift()?.length ?? 0;
    return numbered;
  }

  /** The events after the event with this id, oldest first. Undefined if not all of them are kept, or the id is unknown. */
  after(id: string): readonly string[] | undefined {
    const missed = /^\d{1,15}$/.test(id) ? this.#last - Number(id) : Number.NaN;
    return missed >= 0 && missed <= this.#events.length ? this.#events.slice(this.#events.length - missed) : undefined;
  }
}
