import { expect, test } from 'vitest';
import { auditJournal } from '../src/audit/audit-journal.ts';
import { alwaysJudged } from '../src/audit/audited.ts';
import { agentBasics } from './audit/agent-basics.ts';
import { agentThings } from './audit/agent-things.ts';
import { agentTurns } from './audit/agent-turns.ts';
import { journalOf } from './audit/talk.ts';

const all = Object.entries({ ...agentBasics, ...agentTurns, ...agentThings });
const cases = all.filter(([, { broken }]) => broken.length > 0);

test('every audited requirement for agents has a test case', () => {
  expect(cases.map(([id]) => id).toSorted()).toEqual(
    alwaysJudged('agent')
      .filter((id) => id !== 'R368')
      .toSorted(),
  );
});

test.each(cases)('an agent that meets %s is reported as meeting it, without violations', (id, { held }) => {
  const seen = auditJournal(journalOf(held), 'agent');
  expect(seen.filter(({ requirement, outcome }) => outcome === 'broken' || requirement === id)).toEqual([
    { requirement: id, outcome: 'held', message: '', evidence: [] },
  ]);
});

test.each(all.filter(([, { broken }]) => broken.length === 0))(
  'permitted behaviour of an agent is no violation: %s',
  (_what, { held }) => {
    const seen = auditJournal(journalOf(held), 'agent');
    expect(seen.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  },
);

const breaches = cases.flatMap(([id, { broken }]) => broken.map((lines, index) => [id, index, lines] as const));

test.each(breaches)('a violation of %s by an agent is found (%i)', (id, _index, lines) => {
  const journal = journalOf(lines);
  const [seen] = auditJournal(journal, 'agent').filter(({ requirement }) => requirement === id);
  expect(seen).toEqual({
    requirement: id,
    outcome: 'broken',
    message: expect.any(String),
    evidence: expect.any(Array),
  });
  expect(seen?.evidence.some((entry) => entry.from === 'agent')).toBe(true);
  expect(journal).toEqual(expect.arrayContaining([...(seen?.evidence ?? [])]));
});
