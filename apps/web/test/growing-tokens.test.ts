import { markdownTokens, type Token } from '@turnwire/client/markdown';
import { expect, test } from 'vitest';
import { GrowingTokens } from '../src/markdown/growing-tokens.ts';

const text = `# Title

A paragraph that
goes on, with a [link][1].

- one
- two

  still two
- three

Setext
======

\`\`\`js
const fence = 1;

# not a heading
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

> quoted
lazily

[1]: https://example.com

The end.
`;

const shape = (tokens: readonly Token[]): unknown => tokens.map(({ type, raw }) => ({ type, raw }));

test('a text that grows by one character at a time has the same blocks as the whole text, at each length', () => {
  const growing = new GrowingTokens();
  const wrong: string[] = [];
  for (let length = 1; length <= text.length; length++) {
    const part = text.slice(0, length);
    const tokens = growing.read(part, false);
    if (JSON.stringify(shape(tokens)) !== JSON.stringify(shape(markdownTokens(part)))) wrong.push(part.slice(-20));
  }
  expect(wrong).toEqual([]);
});

test('a complete text resolves links that are defined further down, and another text starts without them', () => {
  const growing = new GrowingTokens();
  growing.read(text, false);
  expect(growing.read(text, true)).toEqual(markdownTokens(text));
  expect(shape(growing.read('another *text*', false))).toEqual(shape(markdownTokens('another *text*')));
});
