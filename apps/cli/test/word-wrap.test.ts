import { expect, test } from 'vitest';
import { WordWrap } from '../src/terminal/word-wrap.ts';

function wrapped(columns: number | undefined, ...pieces: readonly string[]): string {
  const wrap = new WordWrap(() => columns);
  return pieces.map((piece) => wrap.push(piece)).join('') + wrap.end();
}

test('prose is broken at its words, in whatever pieces it comes', () => {
  const text = 'one two three four\n\n- five six seven';
  const broken = 'one two\nthree four\n\n- five six\nseven';
  expect([wrapped(11, text), wrapped(11, ...text.split('')), wrapped(undefined, text)]).toEqual([broken, broken, text]);
});

test('a line may be as wide as the terminal, and no blank begins another one', () => {
  expect([wrapped(7, 'one two three'), wrapped(7, 'one two  \nthree ')]).toEqual(['one two\nthree', 'one two\nthree']);
});

test('a word that is wider than the terminal is left to it, and wide characters count twice', () => {
  expect([wrapped(6, 'a abcdefghi b'), wrapped(6, '日本 語話')]).toEqual(['a\nabcdefghi\nb', '日本\n語話']);
});

test('code, indented lines and tables stay as they are', () => {
  const exact = '```sh\nnpm run test -- --all\n```\n    four blanks and more\n| a table | of some width |\n';
  expect(wrapped(8, exact)).toBe(exact);
  expect(wrapped(8, `${exact}prose is not`)).toBe(`${exact}prose is\nnot`);
});

test('only a word at the end of the line is held back', () => {
  const wrap = new WordWrap(() => 20);
  expect(['at wo', 'rk', ' of', ' all', ' kinds ', 'x'].map((piece) => wrap.push(piece)).concat(wrap.end())).toEqual([
    'at wo',
    'rk',
    '',
    ' of',
    ' all kinds',
    '',
    '\nx',
  ]);
});

test('without a terminal everything is passed on at once', () => {
  const wrap = new WordWrap(() => undefined);
  expect(['``', '`sh', '\nls', ' -l', '\n'].map((piece) => wrap.push(piece)).join('|')).toBe('|```sh|\nls| -l|\n');
});
