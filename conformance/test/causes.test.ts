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

/** The causes of the observations of some scenarios, each with the requirements it explains. */
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

test('requirements that are broken with the same message have one cause', () => {
  const message = 'session/set_mode was called with another mode';
  expect(
    causes({
      'modes/set': [broken('R034', message), broken('R036', message)],
      'modes/again': [broken('R034', 'there is no answer')],
    }),
  ).toEqual([['R034', 'R036']]);
});

test('of equally important requirements the one that explains more is the cause, even if it comes later', () => {
  const message = 'session/set_mode was called with another mode';
  expect(
    causes({
      'modes/set': [broken('R034', message), broken('R036', message)],
      'modes/again': [broken('R036', 'there is no answer')],
      'modes/other': [broken('R046', message)],
    }),
  ).toEqual([['R036', 'R034'], ['R046']]);
});

test('a less important requirement that explains more does not become the cause', () => {
  const message = 'session/set_mode was called with another mode';
  expect(
    causes({
      'modes/set': [broken('R034', message), broken('R045', message)],
      'modes/again': [broken('R045', 'there is no answer')],
    }),
  ).toEqual([['R034'], ['R045']]);
});

test('violations in a frame without content have one cause, those in a readable frame have several', () => {
  expect([
    causes({ 'initialize/answer': [broken('R034', 'no result', [nothing]), broken('R035', 'no name', [nothing])] }),
    causes({ 'initialize/answer': [broken('R034', 'no version', [answer]), broken('R035', 'no name', [answer])] }),
  ]).toEqual([[['R034', 'R035']], [['R034'], ['R035']]]);
});
