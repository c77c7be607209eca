/** UTF-16 units shown at a time, and milliseconds between two showings. */
const longest = 4 * 1024;
const interval = 250;

/**
 * Shows the end of a growing output now and then. Each showing replaces the one before, so all of them together come to at most
 * 16 Ki characters a second, however much is printed: what is sent grows with time, not with the square of the output.
 */
export class OutputProgress {
  readonly #show: (end: string) => Promise<void>;
  #end = '';
  #isNew = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #showing: Promise<void> = Promise.resolve();

  /** @param show gets at most the last 4 Ki characters, at most every quarter second, never before its last call settled */
  constructor(show: (end: string) => Promise<void>) {
    this.#show = show;
  }

  print(text: string): void {
    this.#end += text;
    // Cut at twice the length, so that a command printing single letters does not copy the end for each.
    if (this.#end.length > 2 * longest) this.#end = lastCharacters(this.#end, longest);
    this.#isNew = true;
    this.#schedule();
  }

  /** Nothing more is shown once this resolves. */
  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#showing;
  }

  #schedule(): void {
    if (this.#isNew && !this.#isOver) this.#timer ??= setTimeout(() => this.#showNow(), interval);
  }

  #showNow(): void {
    this.#isNew = false;
    const goOn = (): void => {
      this.#timer = undefined;
      this.#schedule();
    };
    this.#showing = this.#show(lastCharacters(this.#end, longest)).then(goOn, goOn);
  }
}

/** The end of a text, at most so long, not beginning in the middle of a character. */
function lastCharacters(text: string, length: number): string {
  const end = text.slice(-length);
  return /^[\uDC00-\uDFFF]/.test(end) && end.length < text.length ? end.slice(1) : end;
}
