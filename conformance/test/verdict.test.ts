import { describe, expect, test } from 'vitest';
import { countsAgainst } from '../src/report/strictness.ts';
import { summarise } from '../src/report/summary.ts';
import type { Requirement } from '../src/requirements/requirement.ts';
import type { Observation } from '../src/verdict/observation.ts';
import { verdictOn } from '../src/verdict/verdict.ts';
import { judgementOf } from './judgements.ts';

const requirement: Requirement = {
  id: 'R036',
  level: 'MUST',
  basis: 'stated',
  profile: 'v1',
  binds: 'agent',
  section: 'Initialization',
  behaviour: 'It answers',
  sources: ['initialization'],
};

function verdict(
  seen: readonly (readonly [Observation['outcome'], string])[],
  unobservable?: string,
): readonly [outcome: string, ...messages: string[]] {
  const observations = seen.map(
    ([outcome, message]) => ({ requirement: 'R036', outcome, message, evidence: [] }) as const,
  );
  const results = [{ scenario: 'a/b', observations, journals: [], duration: 1 }];
  const { outcome, findings } = verdictOn(requirement, results, unobservable);
  return [outcome, ...findings.map(({ message }) => message)];
}

describe('a verdict', () => {
  test('is failed if the requirement was ever broken', () => {
    expect(
      verdict([
        ['held', ''],
        ['broken', 'here'],
        ['broken', 'there'],
        ['broken', 'here'],
        ['held', ''],
      ]),
    ).toEqual(['failed', 'here', 'there']);
  });

  test('is passed if the requirement held when there was an opportunity', () => {
    expect(
      verdict([
        ['unseen', 'no mode'],
        ['held', ''],
      ]),
    ).toEqual(['passed']);
  });

  test('is never passed without an observation', () => {
    expect([verdict([]), verdict([['unseen', 'no mode']])]).toEqual([['not exercised'], ['not exercised', 'no mode']]);
  });

  test('is not observable, with the reason, unless it was observed', () => {
    expect([verdict([], 'it is inside'), verdict([['broken', 'here']], 'it is inside')]).toEqual([
      ['not observable', 'it is inside'],
      ['failed', 'here'],
    ]);
  });
});

test('MUST and MUST NOT always count, weaker levels on request; requirements of proposals and dialects count as SHOULD', () => {
  const counting = (level: Requirement['level'], profile: Requirement['profile'] = 'v1'): readonly boolean[] =>
    (['must', 'should'] as const).map((from) => countsAgainst({ ...requirement, level, profile }, from));
  expect({
    MUST: counting('MUST'),
    'MUST NOT': counting('MUST NOT'),
    SHOULD: counting('SHOULD'),
    'SHOULD NOT': counting('SHOULD NOT'),
    DERIVED: counting('DERIVED'),
    'MUST of a dialect': counting('MUST', 'dialect'),
    'MUST of a proposal': counting('MUST', 'proposal'),
  }).toEqual({
    MUST: [true, true],
    'MUST NOT': [true, true],
    SHOULD: [false, true],
    'SHOULD NOT': [false, true],
    DERIVED: [false, true],
    'MUST of a dialect': [false, true],
    'MUST of a proposal': [false, true],
  });
});

describe('the conclusion', () => {
  const conclusion = (...args: Parameters<typeof summarise>): readonly string[] => {
    const { conclusion: concluded, sentence } = summarise(...args);
    return [concluded, sentence];
  };
  const without = (...ids: readonly string[]): ReturnType<typeof judgementOf> => {
    const judgement = judgementOf();
    return { ...judgement, verdicts: judgement.verdicts.filter(({ requirement: { id } }) => !ids.includes(id)) };
  };

  test('depends on the level that counts', () => {
    expect([
      conclusion(judgementOf(), 'must'),
      conclusion(without('R036'), 'must'),
      conclusion(without('R036'), 'should'),
      conclusion(without('R035', 'R036'), 'should'),
    ]).toEqual([
      ['not conforming', 'Does not conform: it breaks one requirement.'],
      [
        'conforming',
        'Conforms, as far as it was tested: 2 of 3 requirements were seen; not seen: R046. There is advice on one requirement.',
      ],
      ['not conforming', 'Does not conform: it breaks one requirement.'],
      ['conforming', 'Conforms, as far as it was tested: 1 of 2 requirements were seen; not seen: R046.'],
    ]);
  });

  test('is "not judged" if nothing was observed', () => {
    expect([
      conclusion(without('R034', 'R035', 'R036'), 'must'),
      conclusion(without('R034', 'R036'), 'must'),
      conclusion(judgementOf({ unreachable: 'it cannot be started: spawn ENOENT' }), 'must'),
    ]).toEqual([
      ['not judged', 'Not judged: nothing could be exercised.'],
      ['not judged', 'Not judged: nothing that counts could be exercised. There is advice on one requirement.'],
      ['not judged', 'Not judged: it cannot be started: spawn ENOENT.'],
    ]);
  });
});
