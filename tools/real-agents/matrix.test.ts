import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withRows } from './matrix.ts';

const page = (...rows: readonly string[]): string =>
  [
    'Before.',
    '',
    '<!-- matrix: written by npm run real-agents -- --record -->',
    '',
    '| agent | version | tried on | text | run |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '<!-- end of the matrix -->',
    '',
    'After.',
  ].join('\n');

test('agents that were run get new rows, and steps that were not run keep their result while the version is the same', () => {
  const before = page('| `a` | a@1 | 2026-01-01 | ok | ok |', '| `b` | b@1, c@2 | 2026-01-01 | ok | ok |');
  const rows = [
    { name: 'a', packages: ['a@2'], day: '2026-02-02', verdicts: { text: 'differs' } },
    { name: 'b', packages: ['b@1', 'c@2'], day: '2026-02-02', verdicts: { run: 'FAILED' } },
    { name: 'd', packages: ['d@1'], day: '2026-02-02', verdicts: { text: 'ok' } },
  ];
  expect(withRows(before, rows, ['text', 'run'])).toBe(
    page(
      '| `a` | a@2 | 2026-02-02 | differs | – |',
      '| `b` | b@1, c@2 | 2026-02-02 | ok | FAILED |',
      '| `d` | d@1 | 2026-02-02 | ok | – |',
    ),
  );
});

test('the page of known agents has a section for the table, and a page without it is refused', () => {
  const known = readFileSync(new URL('../../docs/known-agents.md', import.meta.url), 'utf8');
  expect(withRows(known, [], ['text'])).toContain('| `claude` |');
  expect(() => withRows('nothing', [], [])).toThrow('the page has no table');
});
