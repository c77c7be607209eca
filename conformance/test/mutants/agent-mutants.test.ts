import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import { runAgentScenario } from '../../src/agent/run-agent-scenario.ts';
import { agentScenarios } from '../../src/agent/scenarios/scenarios.ts';
import { defaultSteering } from '../../src/agent/steering.ts';
import { type AgentHome, agentHome, builtInAgent, builtInAgentProcess } from '../peers/built-in-agent.ts';
import { loginAgent } from '../peers/login-agent.ts';
import { oddities } from './agent/oddities.ts';
import { agentMutants } from './agent-mutants.ts';
import { type Mutant, mutantAgent } from './mutant-line.ts';

const patient = { answer: 10_000, turn: 30_000 };
/** Many mutants show by what never comes. */
const impatient = { answer: 3_000, turn: 30_000 };
let home: AgentHome;
let agentProcess: AgentSubject;
beforeAll(async () => {
  home = await agentHome();
  agentProcess = await builtInAgentProcess(home);
}, 60_000);
afterAll(() => home[Symbol.asyncDispose]());

/** What a scenario finds broken in an agent. */
async function brokenBy(
  subject: AgentSubject,
  { scenario: id, needs }: Pick<Mutant, 'scenario' | 'needs'>,
  patience: typeof patient,
): Promise<readonly string[]> {
  const scenario = agentScenarios.find((known) => known.id === id);
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
  const { observations, mishap } = await runAgentScenario(subject, scenario, {
    steering: defaultSteering,
    patience,
    seed: 1,
    ...(needs === 'login' && { authMethod: 'key' }),
  });
  if (mishap !== undefined) throw new Error(mishap);
  return observations.filter(({ outcome }) => outcome === 'broken').map(({ requirement }) => requirement);
}

function subjectFor({ needs }: Mutant): AgentSubject {
  if (needs === 'login') return loginAgent();
  return needs === 'process' ? agentProcess : builtInAgent(home);
}

describe.concurrent('nothing more is held against an agent than it did, if it', () => {
  const cases = oddities.flatMap(({ scenarios, ...oddity }) => scenarios.map((scenario) => ({ ...oddity, scenario })));
  test.each(cases)(
    '$name, in $scenario',
    async ({ defect, scenario, breaks = [] }) => {
      const subject = mutantAgent(builtInAgent(home), defect);
      expect(await brokenBy(subject, { scenario }, impatient)).toEqual(breaks);
    },
    120_000,
  );
});

/** What scenarios find broken in the agents without a defect: looked for once. */
const found = new Map<string, Promise<readonly string[]>>();

function brokenWithout(mutant: Mutant): Promise<readonly string[]> {
  const key = `${mutant.scenario} ${mutant.needs}`;
  const known = found.get(key) ?? brokenBy(subjectFor(mutant), mutant, patient);
  found.set(key, known);
  return known;
}

describe.concurrent('a mutant is caught: an agent that', () => {
  test.each(agentMutants)(
    '$name',
    async (mutant) => {
      const without = await brokenWithout(mutant);
      const broken = await brokenBy(mutantAgent(subjectFor(mutant), mutant.defect), mutant, impatient);
      expect({ without, with: broken }).toEqual({ without: [], with: expect.arrayContaining([mutant.breaks]) });
    },
    120_000,
  );
});

test('every scenario has a mutant', () => {
  const caught = new Set(agentMutants.map(({ scenario }) => scenario));
  expect(agentScenarios.filter(({ id }) => !caught.has(id)).map(({ id }) => id)).toEqual([]);
});
