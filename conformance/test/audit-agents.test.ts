import { expect, test } from 'vitest';
import { auditJournal } from '../src/audit/audit-journal.ts';
import { alwaysSeen } from '../src/audit/audited.ts';
import { agentBasics } from './audit/agent-basics.ts';
import { agentThings } from './audit/agent-things.ts';
import { agentTurns } from './audit/agent-turns.ts';
import { journalOf } from './audit/talk.ts';

const all = Object.entries({ ...agentBasics, ...agentTurns, ...agentThings });
const cases = all.filter(([, { broken }]) => broken.length > 0);

test('every requirement that is audited in agents has a case here', () => {
  expect(cases.map(([id]) => id).toSorted()).toEqual(alwaysSeen.agent.filter((id) => id !== 'R368').toSorted());
});

test.each(cases)('of an agent that keeps %s it is said that it holds, and nothing is broken', (id, { held }) => {
  const seen = auditJournal(journalOf(held), 'agent');
  expect(seen.filter(({ requirement, outcome }) => outcome === 'broken' || requirement === id)).toEqual([
    { requirement: id, outcome: 'held', message: '', evidence: [] },
  ]);
});

test.each(all.filter(([, { broken }]) => broken.length === 0))(
  'nothing is held against an agent: %s',
  (_what, { held }) => {
    const seen = auditJournal(journalOf(held), 'agent');
    expect(seen.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  },
);

const breaches = cases.flatMap(([id, { broken }]) => broken.map((lines, index) => [id, index, lines] as const));

test.each(breaches)('an agent that breaks %s is caught (%i)', (id, _index, lines) => {
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
