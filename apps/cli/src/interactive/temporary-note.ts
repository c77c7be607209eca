import { cleanText } from '../terminal/clean-text.ts';

/** How long a note stays in the status line, in milliseconds. */
const noteTime = 4_000;

/** A message in the status line that disappears after a while. */
export class TemporaryNote implements Disposable {
  readonly #changed: () => void;
  #text: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get text(): string | undefined {
    return this.#text;
  }

  show(text: string): void {
    this.#text = cleanText(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#text = undefined;
      this.#changed();
    }, noteTime);
    this.#changed();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#text = undefined;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
