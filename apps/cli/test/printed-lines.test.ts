import { expect, test } from 'vitest';
import { printedLines } from '../src/terminal/printed-lines.ts';

test.each([
  ['a progress bar', '10 %\r50 %\r100 %\ndone', ['100 %', 'done']],
  ['lines that end with CRLF', 'one\r\ntwo\r\n', ['one', 'two', '']],
  ['a bar that is not finished', '10 %\r50 %\r', ['50 %']],
  ['a return alone', '\r', ['']],
  ['half a megabyte without a return', 'x'.repeat(500_000), ['x'.repeat(500_000)]],
])('what %s leaves on the screen is shown', (_, output, lines) => {
  expect(printedLines(output)).toEqual(lines);
});
