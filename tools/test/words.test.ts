import { expect, test } from 'vitest';
import { objectionTo, sentencesIn } from '../sentences.mjs';

test.each([
  ['What was no proper message is answered with an error.', 'a clause used as a noun'],
  ['The reason of what was refused.', 'a clause used as a noun'],
  ['A restarted agent is waited for.', 'a passive that ends in a preposition'],
  ['The session is opened anew.', 'an archaic or translated word'],
  ['A pipe is no file.', 'a negated noun'],
  ['A note that the next client is to see.', '"is to be"'],
  ['What should the agent do next?', undefined],
  ['There is no file at this path.', undefined],
  ['The connection is closed by the client.', undefined],
  ['Reopen a session for clients that attach while it closes.', undefined],
])('%j: %s', (sentence, objection) => {
  expect(objectionTo(sentence)).toBe(objection);
});

test('sentences are read from comments, errors and the names of tests, with the lines they begin in', () => {
  const text = [
    '/** One sentence of four.',
    ' * @param count - how many there are */',
    'const url = "https://example.com/no/comment";',
    '// A comment of',
    '// two lines.',
    "throw new TurnwireError('invalid', 'The agent did not start.');",
    "it('refuses a peer without a secret', () => {});",
  ].join('\n');
  expect(sentencesIn('one.test.ts', text)).toEqual([
    { line: 1, text: 'One sentence of four.' },
    { line: 1, text: 'how many there are' },
    { line: 4, text: 'A comment of two lines.' },
    { line: 6, text: 'The agent did not start.' },
    { line: 7, text: 'refuses a peer without a secret' },
  ]);
});

test('sentences are read from the paragraphs, lists and tables of Markdown, without code and headings', () => {
  const text = [
    '# A heading of four words',
    '',
    'A paragraph with `code.of words` that',
    'has two lines. And two sentences.',
    '```sh',
    'echo code is not prose',
    '```',
    '- An item of a list',
    '| a cell with four words | x |',
  ].join('\n');
  expect(sentencesIn('page.md', text)).toEqual([
    { line: 3, text: 'A paragraph with X that has two lines.' },
    { line: 8, text: 'An item of a list' },
    { line: 9, text: 'a cell with four words' },
  ]);
});
