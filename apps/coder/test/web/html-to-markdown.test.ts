import { expect, test } from 'vitest';
import { htmlToMarkdown } from '../../src/web/html-to-markdown.ts';

const base = new URL('https://example.com/docs/page');
const markdown = (html: string): string => htmlToMarkdown(html, base).markdown;

test.each([
  ['<h1>One</h1><p>Some <b>bold</b> and <i>slanted</i> text.', '# One\n\nSome **bold** and *slanted* text.'],
  ['<p><a href="../other?a=1&amp;b=2">there</a>', '[there](https://example.com/other?a=1&b=2)'],
  ['<img src=x.png alt="a  picture"><img src=y.png>', '![a picture](https://example.com/docs/x.png)'],
  ['<ul><li>one<li>two</ul>', '-   one\n-   two'],
  ['<pre><code class="language-js">a &lt; b\n\n\n  c</code></pre>', '```js\na < b\n\n\n  c\n```'],
  ['<table><thead><tr><th>A<th>B</thead><tr><td>1|2<td>3</table>', '| A | B |\n| --- | --- |\n| 1\\|2 | 3 |'],
  ['<script>alert(1)</script><style>p{}</style><p>text<noscript>no</noscript><svg><title>x</title></svg>', 'text'],
  ['<a href="javascript:alert(1)">click</a> <a href="data:text/html,x">here</a>', 'click here'],
  ['<p>a\n   b\t\tc</p>', 'a b c'],
  ['', ''],
  ['just text & more', 'just text & more'],
  ['<custom-tag>inside <unknown>these</unknown></custom-tag>', 'inside these'],
])('%j', (html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test('the title is found, whether or not the head is closed', () => {
  const page = htmlToMarkdown('<html><head><title>A &amp; B</title><body><p>text', base);
  expect(page).toEqual({ markdown: 'text', title: 'A & B', isCut: false });
});

test.each([
  ['deep', '<div>'.repeat(100_000)],
  ['deep and unclosed', '<b>'.repeat(100_000)],
  ['nested lists', '<ul><li>x'.repeat(50_000)],
  [
    'formatting that browsers repeat for each paragraph',
    `${Array.from({ length: 5000 }, (_, id) => `<b id=${id}>`).join('')}${'<p>x'.repeat(20_000)}`,
  ],
  ['wide', '<p>x</p>'.repeat(100_000)],
  ['one huge text', 'word '.repeat(1_000_000)],
  ['ampersands', '&'.repeat(3_000_000)],
])('a page that is %s is cut at its limit', (_, html) => {
  const { markdown: text, isCut } = htmlToMarkdown(html, base);
  expect({ isCut, isBounded: text.length <= 2 * 1024 * 1024 }).toEqual({ isCut: true, isBounded: true });
});
