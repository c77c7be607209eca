import type { RequirementId } from '../src/requirements/requirement.ts';
import { requirements } from '../src/requirements/requirements.ts';
import type { Observation } from '../src/verdict/observation.ts';
import { type Judgement, verdictOn } from '../src/verdict/verdict.ts';

/** Text of a peer that tries to attack whatever displays it. */
export const hostile = `<script>alert("1")</script> ]]> '&amp;' \u001b]52;c;aGk=\u0007 \u202etxt.exe`;

/** The faults that a judgement reports, of the agent and of the kit. */
export function faultsOf({ results, verdicts }: Judgement): readonly object[] {
  const judged = new Set(verdicts.map(({ requirement }) => requirement.id));
  return results.flatMap(({ scenario, observations, harnessError }) => [
    ...(harnessError === undefined ? [] : [{ scenario, harnessError }]),
    ...observations
      .filter(({ outcome, requirement }) => outcome.startsWith('broken') && judged.has(requirement))
      .map(({ requirement, message }) => ({ scenario, requirement, message })),
  ]);
}

/**
 * A judgement on five requirements: a broken MUST, a broken SHOULD, one that passed, one that was not exercised, one that is not
 * observable.
 */
export function judgementOf(changes: Partial<Judgement> = {}): Judgement {
  const seen = (requirement: RequirementId, outcome: Observation['outcome'], message = ''): Observation => ({
    requirement,
    outcome,
    message,
    evidence: [],
  });
  const frame = {
    at: 12.34,
    from: 'agent',
    text: JSON.stringify({ id: 0, result: { title: hostile, token: 'sk-0123456789abcdefghij' } }),
  } as const;
  const results = [
    {
      scenario: 'initialize/answer',
      observations: [
        { ...seen('R036', 'broken', `it answers ${hostile}`), evidence: [frame] },
        seen('R034', 'held'),
        seen('R035', 'broken', 'there is no agentInfo'),
        seen('R046', 'unseen', 'the agent requires a login'),
      ],
      journals: [[frame]],
      duration: 12.4,
    },
  ];
  const of = (id: RequirementId): Judgement['verdicts'][number] => {
    const found = requirements.find((each) => each.id === id);
    if (found === undefined) throw new Error(id);
    return verdictOn(found, results, id === 'R037' ? 'its meaning is unclear' : undefined);
  };
  return {
    subject: 'node agent.mjs',
    kind: 'agent',
    version: 1,
    introduction: { name: `Example ${hostile}`, version: '1.0' },
    seed: 7,
    duration: 1234.5,
    verdicts: (['R034', 'R035', 'R036', 'R037', 'R046'] as const).map(of),
    results,
    ...changes,
  };
}
