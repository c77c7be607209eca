import { cleanLine } from '../../terminal/clean-text.ts';
import { type Frame, frame } from '../../terminal/frame.ts';
import { stderr } from '../../terminal/output.ts';
import { cutLine } from '../../terminal/text-width.ts';

const erased: Frame = frame`\r\u001b[2K`;

/** One line on stderr: redrawn in place on a terminal, and erased at the end; elsewhere printed now and then. */
export class LiveLine implements Disposable {
  #text = '';
  readonly #timer: NodeJS.Timeout | undefined;

  /** @param interval how often it is printed where nothing can be redrawn, in milliseconds */
  constructor(interval = 10_000) {
    if (!stderr.isTerminal) this.#timer = setInterval(() => stderr.printLine(this.#text), interval);
    this.#timer?.unref();
  }

  show(text: string): void {
    this.#text = cleanLine(text);
    const { size } = stderr;
    if (size) stderr.draw(frame`${erased}${cutLine(this.#text, size.columns - 1)}`);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (stderr.isTerminal) stderr.draw(erased);
  }
}
