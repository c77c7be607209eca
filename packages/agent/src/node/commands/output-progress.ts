/** UTF-16 units shown at a time, and milliseconds between two updates. */
const longest = 4 * 1024;
const interval = 250;

/**
 * Shows the end of a growing output at intervals. Each update replaces the one before; together they are at most 16 Ki characters per
 * second, however long the output: the amount sent grows with time, not with the square of the output.
 */
export class OutputProgress {
  readonly #show: (end: string) => Promise<void>;
  #end = '';
  #isNew = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #showing: Promise<void> = Promise.resolve();

  /** @param show receives at most the last 4 Ki characters, at most every quarter second, and never before its last call settled */
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

  /** Like {@link stop}, once the end that was not shown yet is shown. */
  async finish(): Promise<void> {
    await this.stop();
    if (this.#isNew) this.#showNow();
    await this.#showing;
  }

  #schedule(): void {
    if (this.#isNew && !this.#isOver) this.#timer ??= setTimeout(() => this.#showNow(), interval);
  }

  #showNow(): void {
    this.#isNew = false;
    const resume = (): void => {
      this.#timer = undefined;
      this.#schedule();
    };
    this.#showing = this.#show(lastCharacters(this.#end, longest)).then(resume, resume);
  }
}

/** The end of a text, up to a length, not starting in the middle of a character. */
function lastCharacters(text: string, length: number): string {
  const end = text.slice(-length);
  return /^[\uDC00-\uDFFF]/.test(end) && end.length < text.length ? end.slice(1) : end;
}
