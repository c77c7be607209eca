import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { judgementOf } from '../../../conformance/test/judgements.ts';
import { countLines } from '../src/commands/check/count-lines.ts';
import { reportLines } from '../src/commands/check/report-lines.ts';
import { plain } from '../src/terminal/paint.ts';

const counts = { failed: 1, passed: 20, 'not exercised': 0, 'not observable': 3 };

test('a narrow table of counts uses signs instead of words, and explains them', () => {
  const rows = [
    ['Framing and JSON-RPC', counts],
    ['all', counts],
  ] as const;
  const look = { paint: plain, isWhole: false };
  expect([countLines(rows, { ...look, width: 80 }), countLines(rows, { ...look, width: 40 })]).toEqual([
    [
      '                      failed  passed  not exercised  not observable',
      'Framing and JSON-RPC       1      20              ·               3',
      'all                        1      20              ·               3',
    ],
    [
      '                       ✗   ✓   ?   –',
      'Framing and JSON-RPC   1  20   ·   3',
      'all                    1  20   ·   3',
      '✗ failed, ✓ passed, ? not exercised, –',
      'not observable',
    ],
  ]);
});

test.each([40, 60, 110])('a report fits into %i columns, and its frames stay recognisable', (width) => {
  const lines = reportLines(judgementOf(), 'must', { paint: plain, width, isWhole: false });
  expect({
    wide: lines.filter((line) => stringWidth(line) > width),
    frame: lines
      .map((line) => line.trim())
      .join('')
      .includes('{"id":0,"result":{"title"'),
  }).toEqual({ wide: [], frame: true });
});

test('control sequences in a message are printed in readable form and reach no terminal', () => {
  const text = reportLines(judgementOf(), 'must', { paint: plain, width: 200, isWhole: false }).join('\n');
  expect(text).toContain(String.raw`'&amp;' \x1b]52;c;aGk=\x07 <U+202E>txt.exe`);
  expect(['\u001b', '\u0007', '\u202e'].filter((each) => text.includes(each))).toEqual([]);
});
