import { stripVTControlCharacters } from 'node:util';

/** The most lines of a command's output that the model gets; characters are limited where the output is stored. */
const mostLines = 2000;

/** The part of an output for the model. */
export interface PlainOutput {
  readonly text: string;
  /** True if lines were left out at the beginning. */
  readonly isCut: boolean;
}

/**
 * The end of an output as a model can read it: without control sequences, and of a line that was overwritten repeatedly, as
 * progress bars are, only the last version.
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
  // A terminal in between may have added another one before the line's end.
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

function withoutControls(line: string): string {
  // eslint-disable-next-line no-control-regex -- they are matched on purpose
  return line.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '');
}
