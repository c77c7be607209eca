import fc from 'fast-check';
import { expect, test } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { wrapPlain } from '../src/terminal/wrap-plain.ts';

const words = fc.array(fc.oneof(fc.constantFrom('', ' ', 'a', '─'), fc.stringMatching(/^[!-~]{0,30}$/)), {
  maxLength: 12,
});
const options = fc.constantFrom({}, { trim: false }, { trim: false, wordWrap: false }, { wordWrap: false });

test('lines of plain characters are wrapped as wrap-ansi wraps them', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 20 }), options, (parts, columns, how) => {
      const line = parts.join(' ');
      expect(wrapPlain(line, columns, how)).toEqual(wrapAnsi(line, columns, { ...how, hard: true }).split('\n'));
    }),
    { numRuns: 2_000 },
  );
});
