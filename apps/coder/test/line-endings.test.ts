import { expect, test } from 'vitest';
import { keepLineEndings } from '../src/workspace/line-endings.ts';

test.each([
  ['the only kind there is', 'a\r\nb\r\n', 'x\ny\n', 'x\r\ny\r\n'],
  ['plain ones', 'a\nb\n', 'x\ny\n', 'x\ny\n'],
  ['those of each line that stays', 'a\r\nb\nc\r\n', 'a\nb\nc\n', 'a\r\nb\nc\r\n'],
  ['that of the line before for a new one', 'a\r\nb\n', 'a\nnew\nb\nnewer\n', 'a\r\nnew\r\nb\nnewer\n'],
  ['that of the first line for one before it', 'a\r\nb\n', 'new\na\nb\n', 'new\r\na\r\nb\n'],
  ['none at the end', 'a\r\nb\nc', 'a\nc', 'a\r\nc'],
  ['those the new text has itself', 'a\nb\n', 'x\r\ny\n', 'x\r\ny\n'],
  ['plain ones where there were none', 'a', 'x\ny', 'x\ny'],
])('a text keeps %s', (_, before, after, expected) => {
  expect(keepLineEndings(before, after)).toBe(expected);
});

test('a file with mixed line endings gets the most frequent one if nearly all of it is new', () => {
  const before = Array.from({ length: 3000 }, (_, index) => `old ${index}${index % 3 ? '\r\n' : '\n'}`).join('');
  const after = Array.from({ length: 3000 }, (_, index) => `new ${index}\n`).join('');
  expect(keepLineEndings(before, after)).toBe(after.replaceAll('\n', '\r\n'));
});
