import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownHtml } from '../src/output/document/html-markdown.ts';
import { markdownLines } from '../src/output/markdown/markdown-lines.ts';
import { MarkdownStream } from '../src/output/markdown/markdown-stream.ts';
import type { Page } from '../src/terminal/page.ts';
import { coloured, plain } from '../src/terminal/paint.ts';
import { randomRuns } from '../../../tools/random-runs.ts';

const page = { width: 30, paint: plain };

describe('Markdown as lines', () => {
  test.each([
    ['words are wrapped', 'one two three four five six seven', ['one two three four five six', 'seven']],
    ['line breaks are kept', 'a\nb', ['a', 'b']],
    ['a heading is its words', '# Title #\ntext', ['Title', 'text']],
    ['lists have marks', '- a\n  - b\n- [x] c\n\n3. d\n4. e', ['• a', '  • b', '• [x] c', '', '3. d', '4. e']],
    ['code is kept as it is', '```sh\nls   -l\n\n  x\n```', ['  sh', '  ls   -l', '', '    x']],
    ['a quotation has a bar', '> a\n> b', ['│ a', '│ b']],
    ['a table has columns', '|a|b|\n|-|-|\n|1|22|', ['a  b', '─  ──', '1  22']],
    [
      'a wide table is a list',
      `|a|b|\n|-|-|\n|1|${'x '.repeat(20)}|`,
      ['a: 1', 'b: x x x x x x x x x x x x x x', 'x x x x x x'],
    ],
    ['a link shows where it leads', '[here](https://a.b/c)', ['here (https://a.b/c)']],
    [
      'emphasis ends next to full-width punctuation',
      '**“重要”**内容 和**「確認」**です。 **注意：**请',
      ['“重要”内容 和「確認」です。', '注意：请'],
    ],
    [
      'character references are the characters',
      'a &lt; b &amp;&amp; c, Caf&eacute; &copy; &#8212;',
      ['a < b && c, Café © —'],
    ],
    ['references in code stay', '`&lt;` &amp;lt; &unknown; AT&T', ['&lt; &lt; &unknown; AT&T']],
    ['an address is shown once', 'https://a.b/c', ['https://a.b/c']],
  ])('Markdown renders as lines: %s', (_, markdown, lines) => {
    expect(markdownLines(markdown, page)).toEqual(lines);
  });

  test.each([
    ['a paragraph', 'x\n'.repeat(150_000), 150_000],
    ['a table', `|a|\n|-|\n${'|x|\n'.repeat(150_000)}`, 150_002],
  ])('%s may have more lines than a call can have parameters', (_, markdown, count) => {
    expect(markdownLines(markdown, page)).toHaveLength(count);
  });

  test.each(['- ', '1. ', '>', '*', '> - '])(
    '%s repeated six thousand times is rendered in bounded time, also while it streams',
    (mark) => {
      const text = `${mark.repeat(6000)}end\n\n`;
      const pieces = text.match(/[^]{1,4000}/g) ?? [];
      expect([markdownLines(text, page).join('\n'), streamed(pieces).join('\n')]).toEqual([
        expect.stringContaining('end'),
        expect.stringContaining('end'),
      ]);
      expect(markdownHtml(text)).toContain('end');
    },
  );

  test('two tildes strike text through, and one is kept', () => {
    expect(markdownLines('~~old~~ and ~100~ of them', { width: 40, paint: coloured })).toEqual([
      '\u001b[9mold\u001b[29m and ~100~ of them',
    ]);
  });

  test('styles continue on the next line', () => {
    expect(markdownLines('**one two three**', { width: 8, paint: coloured })).toEqual([
      '\u001b[1mone two\u001b[22m',
      '\u001b[1mthree\u001b[22m',
    ]);
  });
});

/** The lines of a text that arrives in pieces, after each of which the live part is looked at. */
function streamed(pieces: readonly string[], on: Page = page): string[] {
  const stream = new MarkdownStream();
  const lines: string[] = [];
  for (const piece of pieces) {
    stream.push(piece);
    lines.push(...stream.take(on));
    stream.live(on);
  }
  return [...lines, ...stream.end(on)];
}

describe('streamed Markdown', () => {
  const text =
    '# Title\n\nSome *text* here.\n\n- one\n- two\ntext\n```js\nlet a;\n\nlet b;\n```\nThe end.\n\n~~~\nx\n~~~\n';

  test('streamed Markdown renders the same lines at every split', () => {
    const whole = markdownLines(text, page);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: text.length }), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), text.length];
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
        expect(streamed(pieces)).toEqual(whole);
      }),
    );
  });

  test('a long paragraph is rendered line by line with its inline styles, and the result is the same', () => {
    const marks = [
      '*very*',
      '**bold words**',
      'snake_case_name',
      '`a * b`',
      '[a link](https://a.b/c)',
      '2 * 3',
      '**open',
      '- x',
      '1. y',
      '_',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word', 'words', 'and', ...marks), { minLength: 60, maxLength: 120 }),
        (words) => {
          const paragraph = `A ${words.join(' ')} end.`;
          for (const each of [page, { width: 30, paint: coloured }]) {
            expect(streamed(paragraph.match(/.{1,7}/g) ?? [], each)).toEqual(markdownLines(paragraph, each));
          }
        },
      ),
      { numRuns: randomRuns({ usual: 10, whole: 20 }) },
    );
  });

  test('only the last lines of a long paragraph may still change', () => {
    const stream = new MarkdownStream();
    stream.push(`some_name and ${'word '.repeat(500)}`);
    const taken = stream.take(page);
    expect([taken.length > 70, stream.live(page).length <= 8]).toEqual([true, true]);
  });

  test('Markdown is rendered block by block, and code line by line', () => {
    const stream = new MarkdownStream();
    stream.push('first\n\nsec');
    expect([stream.take(page), stream.live(page)]).toEqual([['first'], ['', 'sec']]);
    stream.push('ond\n\n```\nlet a;\nlet');
    expect([stream.take(page), stream.live(page)]).toEqual([['', 'second', '', '  let a;'], ['  let']]);
    stream.push(' b;\n```');
    expect([stream.take(page), stream.live(page)]).toEqual([['  let b;'], []]);
  });

  test('an endless block uses little memory', () => {
    const stream = new MarkdownStream();
    const taken: string[] = [];
    for (let index = 0; index < 20_000; index++) {
      stream.push(`word ${index} `);
      taken.push(...stream.take(page));
    }
    expect(stream.live(page).length).toBeLessThan(1_000);
    expect([...taken, ...stream.end(page)].join(' ').trim().split(/\s+/)).toHaveLength(40_000);
  });
});

test.each([
  [
    'prose',
    'One sentence of words follows another one here - 2 of them * 3, and more text, until the paragraph is over.\n\nEnd.',
  ],
  [
    'emphasis',
    'Some **words that are bold for a long while here** and `code with blanks in it` go on, [a link](https://x.example/y) too.',
  ],
  ['lines', 'first line\nsecond line that is longer than the page is\nthird\n\n1. one\n2. two'],
  [
    'a table',
    'Before it.\n\n| a | b |\n| --- | --- |\n| one | two |\n\nBehind it there is text that is long enough to wrap.',
  ],
])('streamed lines of %s equal the lines of the whole text, and appear while it grows', (_, text) => {
  const page = { width: 24, paint: plain, isPrintedOnce: true };
  const stream = new MarkdownStream();
  const lines: string[] = [];
  for (const character of text) {
    stream.push(character);
    lines.push(...stream.take(page));
  }
  const early = lines.length;
  lines.push(...stream.end(page));
  expect(lines).toEqual(markdownLines(text, page));
  expect(early).toBeGreaterThanOrEqual(lines.length / 2);
});
