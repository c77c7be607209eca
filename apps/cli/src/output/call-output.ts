import { printedLines } from '../terminal/printed-lines.ts';
import type { Paint } from '../terminal/paint.ts';
import type { ToolCallView } from './tool-calls.ts';

/** The number of lines of a call to print while it runs, and the number of last lines to print if there are more. */
const most = { running: 100, last: 10 };

/** Prints the output of one tool call line by line as it grows. */
export class CallOutput {
  /** The complete lines printed so far. */
  #printed = '';
  #lines = 0;

  /** The newly completed lines, up to the limit. */
  growing({ printed }: ToolCallView, paint: Paint): readonly string[] {
    const text = printed.slice(0, printed.lastIndexOf('\n') + 1);
    // An agent may report a shortened or formatted output again with each update; print that only at the end.
    if (!text.startsWith(this.#printed) || this.#lines >= most.running) return [];
    const lines = linesIn(text.slice(this.#printed.length)).slice(0, most.running - this.#lines);
    this.#printed = text;
    this.#lines += lines.length;
    return lines.map((line) => quoted(line, paint));
  }

  /** The remaining lines, without the middle if there are many. */
  rest({ printed }: ToolCallView, paint: Paint): readonly string[] {
    if (this.#lines > 0 && !printed.startsWith(this.#printed)) return [];
    const lines = linesIn(printed).slice(this.#lines);
    const limit = Math.max(most.last, most.running - this.#lines);
    const hidden = lines.length - limit;
    if (hidden <= 0) return lines.map((line) => quoted(line, paint));
    const first = lines.slice(0, limit - most.last);
    return [
      ...first.map((line) => quoted(line, paint)),
      paint('dim', `  … ${hidden} more ${hidden === 1 ? 'line' : 'lines'}`),
      ...lines.slice(-most.last).map((line) => quoted(line, paint)),
    ];
  }
}

function linesIn(text: string): readonly string[] {
  const lines = printedLines(text.replace(/\r?\n$/, ''));
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

function quoted(line: string, paint: Paint): string {
  return `  ${paint('dim', '│')} ${line}`.trimEnd();
}
