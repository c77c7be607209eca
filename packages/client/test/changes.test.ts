import { describe, expect, test } from 'vitest';
import { changedWords, diffRows, diffSize, foldedRows, patchText } from '../src/changes/index.ts';
import { emptyTranscript, reduce, type TranscriptEvent } from '../src/transcript/index.ts';

const at = 1;
const transcriptOf = (...events: readonly TranscriptEvent[]) => events.reduce(reduce, emptyTranscript());

describe('the words of a changed line', () => {
  test('words that differ are marked on both sides', () => {
    expect(changedWords('const size = 10;', 'const length = 10;')).toEqual({
      removed: [
        { text: 'const ', isChanged: false },
        { text: 'size', isChanged: true },
        { text: ' = 10;', isChanged: false },
      ],
      added: [
        { text: 'const ', isChanged: false },
        { text: 'length', isChanged: true },
        { text: ' = 10;', isChanged: false },
      ],
    });
  });

  test.each([
    ['have nothing in common', 'const size = 10;', 'return'],
    ['are too long', 'a '.repeat(1_001), 'b '.repeat(1_001)],
  ])('words of lines that %s are not marked', (_, removed, added) => {
    expect(changedWords(removed, added)).toBeUndefined();
  });
});

test('words are marked where up to 500 lines were replaced at once, and not in larger parts', () => {
  const lines = (word: string, count: number): string =>
    Array.from({ length: count }, (_, place) => `const ${word} = ${place};`).join('\n');
  const marked = [500, 501].map((count) =>
    diffRows({ path: '/a', oldText: lines('old', count), newText: lines('new', count) }).filter(
      ({ right }) => (right?.spans.length ?? 0) > 1,
    ),
  );
  expect(marked.map(({ length }) => length)).toEqual([500, 0]);
});

test('the diff of a question stays when the last report of the call contains only its result', () => {
  const diff = { type: 'diff', path: '/a', oldText: 'a', newText: 'b' } as const;
  const request = { sessionId: 's', toolCall: { toolCallId: '1', title: 'Edit', content: [diff] }, options: [] };
  const result = { type: 'content', content: { type: 'text', text: 'Wrote the file.' } } as const;
  const { entries } = transcriptOf(
    { at, type: 'permission-asked', request },
    { at, type: 'permission-answered', outcome: { toolCallId: '1', allowed: true, reason: 'by the user' } },
    {
      at,
      type: 'update',
      update: { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed', content: [result] },
    },
  );
  expect(entries.at(0)).toMatchObject({ state: 'completed', content: [diff, result] });
});

describe('the rows of a diff', () => {
  const numbered = (count: number, changed: readonly number[] = []): string =>
    Array.from({ length: count }, (_, at) => `${changed.includes(at + 1) ? 'new' : 'line'} ${at + 1}\n`).join('');
  const shown = (rows: ReturnType<typeof foldedRows>): readonly string[] =>
    rows.map((row) =>
      row.type === 'folded'
        ? `${row.count} folded`
        : [row.left, row.right].map((line) => line?.spans.map(({ text }) => text).join('') ?? '').join(' | '),
    );

  test('rows are numbered on both sides and have the differing words marked', () => {
    expect(diffRows({ path: 'a', oldText: 'one\nlet a = 1;\n', newText: 'one\nlet b = 1;\nmore\n' })).toEqual([
      {
        type: 'same',
        left: { number: 1, spans: [{ text: 'one', isChanged: false }] },
        right: { number: 1, spans: [{ text: 'one', isChanged: false }] },
      },
      {
        type: 'changed',
        left: {
          number: 2,
          spans: [
            { text: 'let ', isChanged: false },
            { text: 'a', isChanged: true },
            { text: ' = 1;', isChanged: false },
          ],
        },
        right: {
          number: 2,
          spans: [
            { text: 'let ', isChanged: false },
            { text: 'b', isChanged: true },
            { text: ' = 1;', isChanged: false },
          ],
        },
      },
      { type: 'changed', right: { number: 3, spans: [{ text: 'more', isChanged: false }] } },
    ]);
  });

  test('a long run of rows far from a change is folded', () => {
    const rows = diffRows({ path: 'a', oldText: numbered(20), newText: numbered(20, [5, 14]) });
    expect([shown(foldedRows(rows, 1)), foldedRows(rows, 4).filter(({ type }) => type === 'folded')]).toEqual([
      [
        '1 folded',
        ...[2, 3, 4].map((line) => `line ${line} | line ${line}`),
        'line 5 | new 5',
        ...[6, 7, 8].map((line) => `line ${line} | line ${line}`),
        '2 folded',
        ...[11, 12, 13].map((line) => `line ${line} | line ${line}`),
        'line 14 | new 14',
        ...[15, 16, 17].map((line) => `line ${line} | line ${line}`),
        '3 folded',
      ],
      [],
    ]);
  });

  test('the rows of equal texts are folded as a whole', () => {
    expect(foldedRows(diffRows({ path: 'a', oldText: numbered(9), newText: numbered(9) }), 4)).toEqual([
      { type: 'folded', count: 9 },
    ]);
  });

  test('texts with more than a thousand different lines are removed and added as a whole, as in the patch', () => {
    const diff = { path: 'a', oldText: `same\n${'a\n'.repeat(501)}`, newText: `same\n${'b\n'.repeat(501)}` };
    const rows = diffRows(diff);
    expect([diffSize(diff), rows.length, rows[0]?.type, patchText(diff).split('\n').slice(0, 4)]).toEqual([
      { added: 502, removed: 502 },
      502,
      'changed',
      ['--- a', '+++ a', '@@ -1,502 +1,502 @@', '-same'],
    ]);
  });
});

test('a patch marks a missing newline at the end of the text, and a new file has no former name', () => {
  expect([
    patchText({ path: 'a', oldText: 'one\n', newText: 'two' }),
    patchText({ path: 'b', oldText: null, newText: 'x\n' }),
  ]).toEqual([
    '--- a\n+++ a\n@@ -1,1 +1,1 @@\n-one\n+two\n\\ No newline at end of file\n',
    '--- /dev/null\n+++ b\n@@ -0,0 +1,1 @@\n+x\n',
  ]);
});
