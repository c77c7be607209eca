import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { textWidth, wrapColumns } from '../src/terminal/text-width.ts';

test('the width of single and adjacent characters matches the Unicode tables', () => {
  const differing = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => textWidth(character) !== stringWidth(character),
  );
  expect(differing).toEqual([]);
  const pieces = [
    'a',
    'é',
    '\u0301',
    '…',
    '⠸',
    '│',
    '↔',
    '©',
    '\ufe0f',
    '\u200d',
    '漢',
    '🙂',
    '1',
    '\u20e3',
    '\u001b[1;31m',
    '\u001b]8;;x\u0007',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), (words) => {
      expect(textWidth(words.join(''))).toBe(stringWidth(words.join('')));
    }),
  );
});

test('in a line with two columns the second one wraps, and its lines stay aligned', () => {
  const line = '  /undo     take back what the last turn changed in files';
  expect([wrapColumns(line, 40), wrapColumns(line, 24), wrapColumns('one two', 5)]).toEqual([
    ['  /undo     take back what the last turn', '            changed in files'],
    ['/undo     take back what', 'the last turn changed in', 'files'],
    ['one', 'two'],
  ]);
});
