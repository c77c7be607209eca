const kept = 64 * 1024;
const shown = 4 * 1024;
const interval = 250;

/** Keeps the end of a command's output, and shows a shorter end of it now and then while it grows. */
export class OutputTail {
  readonly #show: (tail: string) => Promise<void>;
  #held = '';
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #showing: Promise<void> = Promise.resolve();

  /** @param show gets at most the last 4 Ki characters, at most every quarter second, never before its last call settled */
  constructor(show: (tail: string) => Promise<void>) {
    this.#show = show;
  }

  /** The last 64 Ki characters. */
  get text(): string {
    return lastCharacters(this.#held, kept);
  }

  /** How many characters before the text were let go. */
  get skipped(): number {
    return this.#length - this.text.length;
  }

  append(text: string): void {
    this.#length += text.length;
    this.#held += text;
    // Cut at twice the length, so that a command printing single letters does not copy the tail for each.
    if (this.#held.length > 2 * kept) this.#held = this.text;
    this.#timer ??= setTimeout(() => this.#showNow(), interval);
  }

  /** Nothing more will come, and nothing more is shown once this resolves. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#showing;
  }

  #showNow(): void {
    const free = (): void => {
      this.#timer = undefined;
    };
    this.#showing = this.#show(lastCharacters(this.#held, shown)).then(free, free);
  }
}

/** The end of a text, at most so long, not beginning in the middle of a character. */
function lastCharacters(text: string, length: number): string {
  const end = text.slice(-length);
  return /^[\uDC00-\uDFFF]/.test(end) && end.length < text.length ? end.slice(1) : end;
}
