import { cleanLine } from '../../terminal/clean-text.ts';
import { type Frame, frame } from '../../terminal/frame.ts';
import { stderr } from '../../terminal/output.ts';
import { cutLine } from '../../terminal/text-width.ts';

const erased: Frame = frame`\r\u001b[2K`;

/** One line on stderr that is redrawn in place: on a terminal only, and erased at the end. */
export class LiveLine implements Disposable {
  show(text: string): void {
    const { size } = stderr;
    if (size) stderr.draw(frame`${erased}${cutLine(cleanLine(text), size.columns - 1)}`);
  }

  [Symbol.dispose](): void {
    if (stderr.isTerminal) stderr.draw(erased);
  }
}
