import { cleanLine } from '../../terminal/clean-text.ts';
import { type Frame, frame } from '../../terminal/frame.ts';
import { stderr } from '../../terminal/output.ts';
import { cutLine } from '../../terminal/text-width.ts';

const erased: Frame = frame`\r\u001b[2K`;

/** A status line on stderr. On a terminal it is redrawn in place and erased at the end; elsewhere it is printed at intervals. */
export class LiveLine implements Disposable {
  #text = '';
  readonly #timer: NodeJS.Timeout | undefined;

  /** @param interval the interval between prints without a terminal, in milliseconds */
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
