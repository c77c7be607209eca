import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CheckedSubject, withResults } from './check-page.ts';
import { checkedSubject } from './check-results.ts';

const page = [
  'Before.',
  '<!-- results: written by npm run check-real -- --record -->',
  'old',
  '<!-- end of the results -->',
  'After.',
].join('\n');

const subject: CheckedSubject = {
  name: 'an-agent',
  kind: 'agent',
  packages: ['an-agent@1.2.3'],
  introduced: 'An Agent 1.2.3',
  day: '2026-02-02',
  protocol: 'abc',
  counts: { passed: 70, failed: 3, 'not exercised': 20 },
  broken: [
    {
      id: 'R024',
      level: 'MUST',
      behaviour: 'Each `path_of` a file_name is absolute',
      messages: ['the path "a|b" is not'],
    },
    {
      id: 'R189',
      level: 'MUST',
      behaviour: 'diff.path is absolute',
      messages: ['the path "a|b" is not'],
      sameCauseAs: 'R024',
    },
    { id: 'R045', level: 'SHOULD', behaviour: 'It states what it can', messages: ['auth is not stated'] },
  ],
};

test('a cause is one entry with its review, or with the note that it was not reviewed', () => {
  const written = withResults(page, [subject], {
    'an-agent': { R024: { whose: 'theirs', why: 'it is as the model gave it' } },
  });
  expect(written).toContain('| `an-agent` | 1 | 1 | 70 | 20 | an-agent@1.2.3, 2026-02-02 |');
  expect(written).toContain(
    [
      '- **R024, R189** MUST: Each `path_of` a file\\_name is absolute',
      '  - seen: the path "a\\|b" is not',
      '  - **theirs**: it is as the model gave it',
      '- **R045** SHOULD: It states what it can',
      '  - seen: auth is not stated',
      '  - not reviewed yet',
    ].join('\n'),
  );
  expect([written.startsWith('Before.'), written.endsWith('After.'), written.includes('\nold\n')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a subject that could not be judged is marked, and one without violations has no list', () => {
  const fine = { ...subject, name: 'fine', broken: [] };
  const written = withResults(
    page,
    [fine, { ...fine, kind: 'client', name: 'mute', unreachable: 'it never answered' }],
    {},
  );
  expect(written).toContain('| `mute` | not judged |');
  expect(written).not.toContain('### ');
});

test('the documentation page has a section for the results, and a page without it is refused', () => {
  const known = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
  expect(withResults(known, [subject], {})).toContain('`an-agent`');
  expect(() => withResults('nothing', [], {})).toThrow('the page has no results');
});

test('the violations of a report are kept once each, without the parts that change with each run', () => {
  const requirement = { level: 'MUST', behaviour: 'It lives' };
  const report = {
    madeAt: '2026-02-02T10:00:00.000Z',
    protocolCommit: 'abc',
    introduction: { name: 'An Agent', version: '1.2.3' },
    total: { passed: 70, failed: 1, 'not exercised': 20, 'not observable': 3 },
    requirements: [
      { ...requirement, id: 'R001', outcome: 'passed', findings: [] },
      { ...requirement, id: 'R368', outcome: 'failed', findings: [{ message: 'it died' }, { message: 'it died' }] },
      {
        ...requirement,
        id: 'R031',
        outcome: 'failed',
        findings: [{ message: 'session/new with {"cwd":"/tmp/turnwire-aB12cD/project"} was not refused' }],
      },
    ],
  };
  expect(checkedSubject({ name: 'an-agent', kind: 'agent', packages: ['an-agent@1.2.3'] }, report)).toEqual({
    ...subject,
    counts: { passed: 70, failed: 1, 'not exercised': 20 },
    broken: [
      { ...requirement, id: 'R368', messages: ['it died'] },
      { ...requirement, id: 'R031', messages: ['session/new with {"cwd":"…/project"} was not refused'] },
    ],
  });
});
