import type { Paint } from '../../terminal/paint.ts';
import { cutLine } from '../../terminal/text-width.ts';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import type { Drawing, Size } from '../drawing.ts';
import type { Key } from '../key.ts';
import type { Dialog } from './dialog.ts';

/** The maximum number of visible lines of the growing output. */
const mostLines = 10;

/** Shows a running command of the user: the end of its output, and a key to stop it. */
export class RunningCommand implements Dialog {
  readonly #line: string;
  readonly #stop: () => void;
  #output = '';

  constructor(line: string, stop: () => void) {
    this.#line = line;
    this.#stop = stop;
  }

  show(output: string): void {
    this.#output = output;
  }

  draw({ columns, rows }: Size, paint: Paint): Drawing {
    const lines = cleanText(this.#output.slice(-20_000)).trimEnd().split('\n').filter(Boolean);
    const shown = lines.slice(-Math.max(1, Math.min(mostLines, rows - 2)));
    return {
      lines: [
        cutLine(`${paint('cyan', '!')} ${paint('bold', cleanLine(this.#line))}`, columns),
        ...shown.map((line) => cutLine(`  ${paint('dim', '│')} ${line}`, columns)),
        paint('dim', '  running · Esc stops it'),
      ],
    };
  }

  key({ chord }: Key): void {
    if (chord === 'escape') this.#stop();
  }

  paste(): void {}
}
