import { printedLines } from '../terminal/printed-lines.ts';
import type { Paint } from '../terminal/paint.ts';
import type { ToolCallView } from './tool-calls.ts';

/** How many lines of a call are printed while it runs, and how many of its last ones when it printed more. */
const most = { running: 100, last: 10 };

/** The output of one tool call in lines, printed as it grows. */
export class CallOutput {
  /** What was printed of it: complete lines. */
  #printed = '';
  #lines = 0;

  /** The lines that are complete since the last time; none beyond the limit. */
  growing({ printed }: ToolCallView, paint: Paint): readonly string[] {
    const text = printed.slice(0, printed.lastIndexOf('\n') + 1);
    // An output that is reported anew each time, and shortened or formatted, is shown when it is complete.
    if (!text.startsWith(this.#printed) || this.#lines >= most.running) return [];
    const lines = linesIn(text.slice(this.#printed.length)).slice(0, most.running - this.#lines);
    this.#printed = text;
    this.#lines += lines.length;
    return lines.map((line) => beside(line, paint));
  }

  /** The rest, of which the middle is left out if it is long. */
  rest({ printed }: ToolCallView, paint: Paint): readonly string[] {
    if (this.#lines > 0 && !printed.startsWith(this.#printed)) return [];
    const lines = linesIn(printed).slice(this.#lines);
    const room = Math.max(most.last, most.running - this.#lines);
    const hidden = lines.length - room;
    if (hidden <= 0) return lines.map((line) => beside(line, paint));
    const first = lines.slice(0, room - most.last);
    return [
      ...first.map((line) => beside(line, paint)),
      paint('dim', `  … ${hidden} more ${hidden === 1 ? 'line' : 'lines'}`),
      ...lines.slice(-most.last).map((line) => beside(line, paint)),
    ];
  }
}

function linesIn(text: string): readonly string[] {
  const lines = printedLines(text.replace(/\r?\n$/, ''));
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

function beside(line: string, paint: Paint): string {
  return `  ${paint('dim', '│')} ${line}`.trimEnd();
}
