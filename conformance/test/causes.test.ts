import { expect, test } from 'vitest';
import type { RequirementId } from '../src/requirements/requirement.ts';
import { requirements } from '../src/requirements/requirements.ts';
import { causesOf } from '../src/verdict/causes.ts';
import type { Observation, ScenarioResult } from '../src/verdict/observation.ts';
import { verdictOn } from '../src/verdict/verdict.ts';
import { Journal } from '../src/wire/journal.ts';

const journal = new Journal();
const nothing = journal.add('agent', '{"jsonrpc":"2.0","id":0,"result":null}');
const answer = journal.add('agent', '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"one"}}');

function broken(requirement: RequirementId, message: string, evidence: Observation['evidence'] = []): Observation {
  return { requirement, outcome: 'broken', message, evidence };
}

/** The causes of what some scenarios found, each with what it explains. */
function causes(found: Readonly<Record<string, readonly Observation[]>>): readonly (readonly string[])[] {
  const results = Object.entries(found).map(([scenario, observations]): ScenarioResult => ({
    scenario,
    observations,
    journals: [],
    duration: 1,
  }));
  const verdicts = requirements.map((requirement) => verdictOn(requirement, results));
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed');
  return causesOf(failed, results).map(({ verdict, explains }) =>
    [verdict, ...explains].map(({ requirement: { id } }) => id),
  );
}

test('what is said of several requirements in the same words has one cause', () => {
  const message = 'session/set_mode was called with another mode';
  expect(
    causes({
      'modes/set': [broken('R034', message), broken('R036', message)],
      'modes/again': [broken('R034', 'there is no answer')],
    }),
  ).toEqual([['R034', 'R036']]);
});

test('what explains more, and is as important, is the cause, though it comes later', () => {
  const message = 'session/set_mode was called with another mode';
  expect(
    causes({
      'modes/set': [broken('R034', message), broken('R036', message)],
      'modes/again': [broken('R036', 'there is no answer')],
      'modes/other': [broken('R046', message)],
    }),
  ).toEqual([['R036', 'R034'], ['R046']]);
});

test('what explains more, and is less important, leaves the cause to what counts more', () => {
  const message = 'session/set_mode was called with another mode';
  expect(
    causes({
      'modes/set': [broken('R034', message), broken('R045', message)],
      'modes/again': [broken('R045', 'there is no answer')],
    }),
  ).toEqual([['R034'], ['R045']]);
});

test('what a frame breaks that has nothing in it has one cause, and what one breaks that can be read has several', () => {
  expect([
    causes({ 'initialize/answer': [broken('R034', 'no result', [nothing]), broken('R035', 'no name', [nothing])] }),
    causes({ 'initialize/answer': [broken('R034', 'no version', [answer]), broken('R035', 'no name', [answer])] }),
  ]).toEqual([[['R034', 'R035']], [['R034'], ['R035']]]);
});
