import { cleanLine } from '../../terminal/clean-text.ts';
import { cutLine } from '../../terminal/text-width.ts';

/** One line on stderr that is drawn over itself: on a terminal only, and gone in the end. */
export class LiveLine implements Disposable {
  show(text: string): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r\x1b[2K${cutLine(cleanLine(text), process.stderr.columns - 1)}`);
  }

  [Symbol.dispose](): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
  }
}
