import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keptRow, mergedRows } from '../src/matrix/kept-row.ts';
import { newPage, pageWith } from '../src/matrix/matrix-page.ts';
import { judgementOf } from './judgements.ts';

const made = { from: 'must', madeAt: new Date('2026-02-02T10:00:00Z') } as const;
const clean = judgementOf();
const judgement = judgementOf({ introduction: { name: 'An Agent', version: '1.2.3' } });
const row = keptRow(
  {
    name: 'an-agent',
    judgement,
    packages: ['an-agent@1.2.3'],
    traceOf: ({ scenario, nth, evidence }) => `results/${scenario}-${nth}${evidence ? '-violation' : ''}.jsonl`,
  },
  made,
);

/** The rest of a page from a heading on, up to the requirements that cannot be checked. */
function resultsIn(page: string): readonly string[] {
  return page.slice(0, page.indexOf('## What cannot be checked')).trimEnd().split('\n');
}

test('a page shows each part of the protocol with its trace, and each cause with its review or the note that it has none', () => {
  const reviews = { 'an-agent': { R036: { whose: 'theirs', why: 'it answers a `text`' } } } as const;
  expect(resultsIn(pageWith(newPage, [row], reviews))).toEqual([
    '# Results of turnwire check',
    '',
    '<!-- matrix: written by turnwire check matrix -->',
    '',
    '## Agents',
    '',
    '| agent | protocol | MUST broken | weaker broken | kept | not exercised | version, checked on |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| `an-agent` | 1 | 1 | 1 | 1 | 1 | an-agent@1.2.3, 2026-02-02 |',
    '',
    '### Agents by part of version 1',
    '',
    '|  | an-agent |',
    '| --- | --- |',
    '| Initialization | [1 ✗2](results/initialize/answer-1.jsonl) |',
    '',
    '### `an-agent`',
    '',
    expect.stringMatching(/^- \*\*R035\*\* SHOULD: /),
    '  - seen: there is no agentInfo ([frames](results/initialize/answer-1.jsonl))',
    '  - not reviewed yet',
    expect.stringMatching(/^- \*\*R036\*\* MUST: /),
    expect.stringMatching(
      /^ {2}- seen: it answers \\<script\\>.*u001b.* \(\[frames\]\(results\/initialize\/answer-1-violation\.jsonl\)\)$/,
    ),
    '  - **theirs**: it answers a `text`',
  ]);
});

test('a subject that was not judged has a row with the reason, and no other', () => {
  const mute = keptRow({ name: 'mute', judgement: { ...clean, unreachable: 'it never answered' } }, made);
  const lines = resultsIn(pageWith(newPage, [{ ...mute, broken: [] }], {}));
  expect(lines.filter((line) => line.includes('mute'))).toEqual([
    '| `mute` | 1 | not judged: it never answered |  |  |  | this repository, 2026-02-02 |',
  ]);
});

test('a row replaces the one with the same name and version, and others stay', () => {
  const older = { ...row, day: '2026-01-01' };
  const second = { ...older, protocol: 2 } as const;
  expect(mergedRows([older, second], [row])).toEqual([row, second]);
});

test('the page of this repository has a section for the results, and a page without one is refused', () => {
  const known = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
  expect(pageWith(known, [row], {})).toContain('`an-agent`');
  expect(() => pageWith('nothing', [], {})).toThrow('the page has no section between');
});
