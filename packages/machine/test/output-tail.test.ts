import { expect, test } from 'vitest';
import { OutputTail } from '../src/index.ts';

function tailOf(capacity: number, ...chunks: readonly string[]): string {
  const tail = new OutputTail(capacity);
  for (const chunk of chunks) tail.write(Buffer.from(chunk));
  return tail.text();
}

test('the end of an output is kept, whatever the size of its pieces', () => {
  expect([
    tailOf(8, ''),
    tailOf(8, 'abc', 'def'),
    tailOf(8, 'abcdefgh'),
    tailOf(8, 'abcde', 'fghij'),
    tailOf(8, 'abc', 'x'.repeat(100), 'tail'),
    tailOf(8, 'abcdefghijklmnop', 'q'),
  ]).toEqual(['', 'abcdef', 'abcdefgh', 'cdefghij', 'xxxxtail', 'jklmnopq']);
});

test('a character that is cut in half is omitted', () => {
  expect(tailOf(4, '€€')).toBe('€');
});

test('it reports whether output was dropped, and a capacity of zero keeps nothing', () => {
  const states = [0, 3, 4].map((capacity) => {
    const tail = new OutputTail(capacity);
    const before = tail.isCut;
    tail.write(Buffer.from('abcd'));
    return [before, tail.isCut, tail.text()];
  });
  expect(states).toEqual([
    [false, true, ''],
    [false, true, 'bcd'],
    [false, false, 'abcd'],
  ]);
});

test('a ring keeps its contents when it grows', () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `${index} `).join('');
  const pieces = text.match(/.{1,777}/gsu) ?? [];
  expect([tailOf(100_000, ...pieces), tailOf(20_000, ...pieces)]).toEqual([text, text.slice(-20_000)]);
});
