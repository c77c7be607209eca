import type { ToolCallEntry } from '@turnwire/client/transcript';
import { callBlock } from '@turnwire/client/view';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { randomRuns } from '../../../../tools/random-runs.ts';
import { Markdown } from '../../src/markdown/markdown.tsx';
import { FileDiff } from '../../src/transcript/file-diff.tsx';
import { Output } from '../../src/transcript/output.tsx';
import { ToolCall } from '../../src/transcript/tool-call.tsx';

const textIn = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const mark = fc.constantFrom(
  '> ',
  '>',
  '- ',
  '1. ',
  '*',
  '_',
  '**',
  '~~',
  '[',
  '![',
  '](',
  '`',
  '<',
  '#',
  '|',
  '  - ',
  'a',
  ' ',
  '\n',
);
const nested = fc
  .array(fc.tuple(mark, fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(300, 1500))), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) =>
    parts
      .map(([text, times]) => text.repeat(times))
      .join('')
      .slice(0, 8000),
  );

test('a link whose text looks like an address shows its reordering characters and its target', () => {
  const draw = (text: string): string => textIn(renderToStaticMarkup(createElement(Markdown, { text, isOpen: false })));
  expect([draw('https://evil.example/\u202Egpj.exe'), draw('[good.example](https://evil.example/x)')]).toEqual([
    'https://evil.example/U+202Egpj.exe',
    'good.example (evil.example)',
  ]);
});

test('an output is drawn with the 256 colours and exact colours, and backspaces erase characters', () => {
  const text = '\u001b[38;5;208mx\u001b[48;5;240my\u001b[0m\u001b[38;2;1;2;3mz\u001b[0m man\bNn';
  const drawn = renderToStaticMarkup(createElement(Output, { text }));
  expect([drawn.match(/style="[^"]+"/g), textIn(drawn)]).toEqual([
    [
      'style="color:rgb(255, 135, 0)"',
      'style="color:rgb(255, 135, 0);background-color:rgb(88, 88, 88)"',
      'style="color:rgb(1, 2, 3)"',
    ],
    expect.stringContaining('xyz maNn') as unknown,
  ]);
});

test('emphasis ends next to full-width punctuation, and character references become characters', () => {
  const draw = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text, isOpen: false }));
  expect([draw('**“重要”**内容 和**「確認」**です。'), draw('a &lt; b, Caf&eacute;&#8212;&#x41; &no; `&lt;`')]).toEqual(
    [
      '<div class="markdown" dir="auto"><p dir="auto"><strong>“重要”</strong>内容 和<strong>「確認」</strong>です。</p></div>',
      '<div class="markdown" dir="auto"><p dir="auto">a &lt; b, Café—A &amp;no; <code dir="ltr">&amp;lt;</code></p></div>',
    ],
  );
});

test.each([
  [
    'a line break, and small tags',
    'a<br>H<sub>2</sub>O <kbd>Esc</kbd>',
    '<p dir="auto">a<br/>H<sub>2</sub>O <kbd>Esc</kbd></p>',
  ],
  [
    'tags with attributes, without an end, and others',
    '<sub id="x">2</sub> <sup>3 <b>4</b>',
    '<p dir="auto">&lt;sub id=&quot;x&quot;&gt;2&lt;/sub&gt; &lt;sup&gt;3 &lt;b&gt;4&lt;/b&gt;</p>',
  ],
  [
    'details',
    '<details>\n<summary>More &amp; more</summary>\n\n*inside*\n\n</details>\n',
    '<details><summary>More &amp; more</summary><p dir="auto"><em>inside</em></p></details>',
  ],
  [
    'an alert',
    '> [!WARNING]\n> It *burns*.',
    '<blockquote class="alert warning"><strong>Warning</strong><p dir="auto">It <em>burns</em>.</p></blockquote>',
  ],
])('Markdown with %s is drawn', (_, text, drawn) => {
  expect(renderToStaticMarkup(createElement(Markdown, { text, isOpen: false }))).toBe(
    `<div class="markdown" dir="auto">${drawn}</div>`,
  );
});

test('randomly nested Markdown is drawn', () => {
  const drawn = fc.property(nested, (text) => {
    expect(renderToStaticMarkup(createElement(Markdown, { text, isOpen: false }))).toMatch(/^<div class="markdown"/);
  });
  fc.assert(drawn, { numRuns: randomRuns({ usual: 100, whole: 2000 }) });
});

test('Markdown that repeats a mark thousands of times is drawn to its last word', () => {
  const marks = ['- ', '1. ', '>', '> - ', '*', '**a ', '_'];
  const lastWords = marks.map((each) =>
    textIn(renderToStaticMarkup(createElement(Markdown, { text: `${each.repeat(6000)} end`, isOpen: false }))).slice(
      -3,
    ),
  );
  expect(lastWords).toEqual(marks.map(() => 'end'));
});

test('a diff shows the code of each character that is invisible or changes the direction', () => {
  const after = 'launch(); \u202e } \u2066 if (isAdmin) {\nzero\u200bwidth\n';
  const markup = renderToStaticMarkup(
    createElement(FileDiff, { diff: { path: '/p/\u202ea.txt', oldText: 'a\n', newText: after }, index: 0 }),
  );
  expect(markup.match(/U\+[0-9A-F]{4}/g)).toEqual(['U+202E', 'U+202E', 'U+2066', 'U+200B']);
});

test('a diff of 20,000 lines draws its first 300 rows and the number of the others', () => {
  const lines = (word: string): string => Array.from({ length: 20_000 }, (_, line) => `${word} ${line}\n`).join('');
  const markup = renderToStaticMarkup(
    createElement(FileDiff, { diff: { path: '/p/lock', oldText: lines('one'), newText: lines('two') }, index: 0 }),
  );
  expect({ rows: markup.split('<tr').length - 1, more: /Show [^<]*/.exec(markup)?.[0] }).toEqual({
    rows: 600,
    more: 'Show 2700 of 19700 more lines',
  });
});

const outputs: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['a title of the window', 'a\u001b]0;title\u0007b', 'ab'],
  ['a link', '\u001b]8;;https://example.com\u001b\\file.txt\u001b]8;;\u001b\\', 'file.txt'],
  ['moves of the cursor', 'a\u001b[2K\u001b[1Gb', 'ab'],
  ['a progress bar', '1 %\r50 %\r100 %\nend', '100 %\nend'],
  ['a progress bar that has not ended', '1 %\r50 %\r', '50 %'],
  ['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
  ['an override of the direction', 'a\u202eb', 'aU+202Eb'],
  ['a word of a script with joiners', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['a line of 262,144 characters', 'x'.repeat(262_144), 'x'.repeat(262_144)],
];

for (const [what, text, shown] of outputs)
  test(`the output of a command with ${what} is drawn as in a terminal`, () => {
    expect(textIn(renderToStaticMarkup(createElement(Output, { text })))).toBe(shown);
  });

test('a command that exits with a code other than 0 is drawn as failed and open, even if its agent reports success', () => {
  const entry: ToolCallEntry = {
    type: 'tool-call',
    key: 'call',
    toolCallId: 'call',
    state: 'completed',
    kind: 'execute',
    title: 'npm test',
    command: 'npm test',
    locations: [],
    content: [],
    exitCode: 1,
    at: 0,
  } as never;
  const markup = renderToStaticMarkup(
    createElement(ToolCall, { block: callBlock(entry, new Map()), terminals: undefined }),
  );
  expect({
    look: /class="tool ([^"]*)" open=""/.exec(markup)?.[1],
    badge: /class="badge failed">([^/]*)</.exec(markup)?.[1]?.replaceAll('<!-- -->', ''),
    label: /aria-label="([^"]*)"/.exec(markup)?.[1],
  }).toEqual({ look: 'failed', badge: 'exit 1', label: 'completed, exit code 1' });
});
