import { expect, test } from 'vitest';
import { markdownLines } from '../src/output/markdown/markdown-lines.ts';
import { linked } from '../src/terminal/link.ts';
import { coloured, plain } from '../src/terminal/paint.ts';
import { printable } from '../src/terminal/printable.ts';

const withoutId = (text: string): string => text.replaceAll(/;id=[0-9a-f]{16};/g, ';ID;');

test('a wrapped link is clickable in each line, and its address stays visible', () => {
  const lines = markdownLines('See [the long guide](https://example.com/a) now', { width: 14, paint: coloured });
  const shown = lines.map((line) =>
    withoutId(printable(line, true)).replaceAll('\u001b', '^').replaceAll('\u0007', '$'),
  );
  expect(shown).toEqual([
    'See ^]8;ID;https://example.com/a$^[4mthe long^]8;;$^[24m',
    '^[4m^]8;ID;https://example.com/a$guide^[24m^]8;;$',
    '^[2m(https://examp^[22m',
    '^[2mle.com/a)^[22m now',
  ]);
});

test('without colours a link is text', () => {
  expect(markdownLines('[guide](https://example.com/a)', { width: 60, paint: plain })).toEqual([
    'guide (https://example.com/a)',
  ]);
});

test('only our own links to web pages reach the terminal', () => {
  const theirs = '\u001b]8;id=0123456789abcdef;https://evil.example\u0007text\u001b]8;;\u0007';
  expect([
    printable(theirs, true).includes('evil'),
    linked('x', 'file:///etc/passwd'),
    linked('x', 'http://a b'),
  ]).toEqual([false, 'x', 'x']);
  expect(printable(linked('x', 'http://a/'), false)).toBe('x');
});
