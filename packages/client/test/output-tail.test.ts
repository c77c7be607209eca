import { expect, test } from 'vitest';
import { OutputTail } from '../src/launch/output-tail.ts';

function tailOf(capacity: number, ...chunks: readonly string[]): string {
  const tail = new OutputTail(capacity);
  for (const chunk of chunks) tail.write(Buffer.from(chunk));
  return tail.text();
}

test('the end of an output is kept, whatever its pieces', () => {
  expect([
    tailOf(8, ''),
    tailOf(8, 'abc', 'def'),
    tailOf(8, 'abcdefgh'),
    tailOf(8, 'abcde', 'fghij'),
    tailOf(8, 'abc', 'x'.repeat(100), 'tail'),
    tailOf(8, 'abcdefghijklmnop', 'q'),
  ]).toEqual(['', 'abcdef', 'abcdefgh', 'cdefghij', 'xxxxtail', 'jklmnopq']);
});

test('a character cut in half is left out', () => {
  expect(tailOf(4, '€€')).toBe('€');
});
