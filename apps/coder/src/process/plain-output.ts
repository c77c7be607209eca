import { stripVTControlCharacters } from 'node:util';

/** Of each command a model gets to read at most so many lines; their characters are limited where the output is kept. */
const mostLines = 2000;

/** What is left of an output for the model. */
export interface PlainOutput {
  readonly text: string;
  /** True if lines were left out at the beginning. */
  readonly isCut: boolean;
}

/**
 * The end of an output as a model can read it: without control sequences, and of a line that was written over again and again, as
 * progress bars are, what it came to in the end.
 */
export function plainOutput(output: string): PlainOutput {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => withoutControls(lastOverwritten(line)));
  const hasLineEnd = lines.at(-1) === '';
  const first = lines.length - (hasLineEnd ? 1 : 0) - mostLines;
  return first > 0 ? { text: lines.slice(first).join('\n'), isCut: true } : { text: lines.join('\n'), isCut: false };
}

function lastOverwritten(line: string): string {
  // A terminal between may have put one more before the line's end.
  const whole = line.replace(/\r+$/, '');
  return whole.slice(whole.lastIndexOf('\r') + 1);
}

function withoutControls(line: string): string {
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  return line.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '');
}
