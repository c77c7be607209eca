import { expect, test } from 'vitest';
import { auditJournal } from '../src/audit/audit-journal.ts';
import { alwaysJudged } from '../src/audit/audited.ts';
import { clientCases } from './audit/client-cases.ts';
import { journalOf } from './audit/talk.ts';

const all = Object.entries(clientCases);
const cases = all.filter(([, { broken }]) => broken.length > 0);

test('every audited requirement for clients has a test case', () => {
  expect(cases.map(([id]) => id).toSorted()).toEqual(alwaysJudged('client').toSorted());
});

test.each(cases)('a client that meets %s is reported as meeting it, without violations', (id, { held }) => {
  const seen = auditJournal(journalOf(held), 'client');
  expect(seen.filter(({ requirement, outcome }) => outcome === 'broken' || requirement === id)).toEqual([
    { requirement: id, outcome: 'held', message: '', evidence: [] },
  ]);
});

test.each(all.filter(([, { broken }]) => broken.length === 0))(
  'permitted behaviour of a client is no violation: %s',
  (_what, { held }) => {
    const seen = auditJournal(journalOf(held), 'client');
    expect(seen.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  },
);

const breaches = cases.flatMap(([id, { broken }]) => broken.map((lines, index) => [id, index, lines] as const));

test.each(breaches)('a violation of %s by a client is found (%i)', (id, _index, lines) => {
  const journal = journalOf(lines);
  const [seen] = auditJournal(journal, 'client').filter(({ requirement }) => requirement === id);
  expect(seen).toEqual({
    requirement: id,
    outcome: 'broken',
    message: expect.any(String),
    evidence: expect.any(Array),
  });
  expect(seen?.evidence.some((entry) => entry.from === 'client')).toBe(true);
  expect(journal).toEqual(expect.arrayContaining([...(seen?.evidence ?? [])]));
});
