import { expect, test } from 'vitest';
import { diffLines, diffSizeText } from '../src/terminal/diff-lines.ts';
import { plain } from '../src/terminal/paint.ts';

const colours = (style: string, text: string): string => `<${style}>${text}`;

test('a change is shown as a unified patch', () => {
  const diff = { path: '/w/notes.txt', oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' };
  expect(diffLines(diff, plain)).toEqual([
    '--- /w/notes.txt',
    '+++ /w/notes.txt',
    '@@ -1,3 +1,3 @@',
    ' one',
    '-two',
    '+2',
    ' three',
  ]);
  expect(diffSizeText(diff)).toBe('+1 −1');
});

test('the patch of a new file has no old name', () => {
  const diff = { path: '/w/new.txt', oldText: null, newText: 'a\n' };
  expect(diffLines(diff, plain)).toEqual(['--- /dev/null', '+++ /w/new.txt', '@@ -0,0 +1,1 @@', '+a']);
});

test('added and removed lines have their own colours', () => {
  const lines = diffLines({ path: 'x', oldText: 'a\n', newText: 'b\n' }, colours);
  expect(lines).toEqual(['<bold>--- x', '<bold>+++ x', '<cyan>@@ -1,1 +1,1 @@', '<red>-a', '<green>+b']);
});

test('control characters in a file are escaped', () => {
  expect(diffLines({ path: 'x', newText: 'a\u001b[2Kb\n' }, plain).at(-1)).toBe('+a\\x1b[2Kb');
});

test('a text that differs everywhere is shown as replaced without a long comparison', () => {
  const numbers = (prefix: string): string =>
    Array.from({ length: 5_000 }, (_, index) => `${prefix}${index}\n`).join('');
  expect(diffSizeText({ path: 'x', oldText: numbers('a'), newText: numbers('b') })).toBe('+5000 −5000');
});
