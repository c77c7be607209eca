import { describe, expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import { checkAgent } from '../../src/agent/check-agent.ts';
import { runAgentScenario } from '../../src/agent/run-agent-scenario.ts';
import { agentScenarios } from '../../src/agent/scenarios/scenarios.ts';
import { defaultSteering } from '../../src/agent/steering.ts';
import { scenariosIn } from '../../src/judge/scenario.ts';
import { judgedRequirements } from '../../src/requirements/judged-requirements.ts';
import { faultsOf } from '../judgements.ts';
import { rawAgent } from '../peers/raw-agent.ts';
import { agentMutants } from './agent-mutants.ts';
import { mutantAgent } from './mutant-line.ts';
import { chattyAgent } from './chatty-agent.ts';
import { lastingMutants } from './version-2/lasting.ts';
import { protocolMutants } from './version-2/protocol.ts';
import { sessionsMutants } from './version-2/sessions.ts';
import { turnsMutants } from './version-2/turns.ts';

/** Raw agents with one defect each. */
const version2Mutants = [...protocolMutants, ...turnsMutants, ...sessionsMutants, ...lastingMutants];

const judged = judgedRequirements({ kind: 'agent', version: 2 });
const scenarios = scenariosIn(2, agentScenarios).filter(({ over }) => over === undefined);

/** The requirements of version 2 that a scenario finds broken, each once. */
async function brokenBy(subject: AgentSubject, id: string, milliseconds: number): Promise<readonly string[]> {
  const scenario = scenarios.find((known) => known.id === id);
  if (scenario === undefined) throw new Error(`the scenario ${id} does not exist in version 2`);
  const { observations, harnessError } = await runAgentScenario(subject, scenario, {
    steering: defaultSteering,
    timeouts: { answer: milliseconds, turn: milliseconds },
    seed: 1,
    version: 2,
    ...(id === 'authentication/login' && { authMethod: 'key' }),
  });
  if (harnessError !== undefined) throw new Error(harnessError);
  const known = new Set<string>(judged.map((requirement) => requirement.id));
  const broken = observations.filter(({ outcome, requirement }) => outcome === 'broken' && known.has(requirement));
  return [...new Set(broken.map(({ requirement }) => requirement))];
}

describe.concurrent('of an agent of version 2, exactly one requirement is found broken if it', () => {
  test.each(version2Mutants)('$name', async ({ scenario, breaks, defect }) => {
    const agent = mutantAgent(rawAgent(), defect);
    const soon = await brokenBy(agent, scenario, within(700));
    // Short timeouts may find other faults on a busy machine.
    const found = soon.join() === breaks ? soon : await brokenBy(agent, scenario, within(15_000));
    expect(found).toEqual([breaks]);
  });
});

test('every requirement of version 2 has a mutant, of version 1 where the scenario is the same', () => {
  const caught = new Set([...version2Mutants, ...agentMutants].map(({ breaks }) => breaks));
  const owed = judged.filter(({ unobservable, id, sameAs = [] }) => {
    return unobservable?.agent === undefined && ![id, ...sameAs].some((each) => caught.has(each));
  });
  expect(owed.map(({ id }) => id)).toEqual([]);
});

test('no mutant of version 2 is caught by a scenario of version 1 only', () => {
  const known = new Set(scenarios.map(({ id }) => id));
  expect(version2Mutants.filter(({ scenario }) => !known.has(scenario))).toEqual([]);
});

test.each([
  ['conforms', rawAgent()],
  ['is unusual in every way that is allowed', mutantAgent(rawAgent(), chattyAgent)],
])(
  'no violation is reported for a raw agent that %s',
  async (_, agent) => {
    const judgement = await checkAgent(agent, { seed: 1, version: 2, authMethod: 'key', scenarios, jobs: 8 });
    expect(faultsOf(judgement)).toEqual([]);
  },
  within(120_000),
);
