import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import { runAgentScenario } from '../../src/agent/run-agent-scenario.ts';
import { agentScenarios } from '../../src/agent/scenarios/scenarios.ts';
import { defaultSteering } from '../../src/agent/steering.ts';
import { scenariosIn } from '../../src/judge/scenario.ts';
import { within } from '../../../tools/pace.ts';
import { type AgentHome, agentHome, builtInAgent, builtInAgentProcess } from '../peers/built-in-agent.ts';
import { loginAgent } from '../peers/login-agent.ts';
import { sharedAgent } from '../peers/shared-agent.ts';
import { unstableAgent } from '../peers/unstable-agent.ts';
import { lastingOddities } from './agent/lasting.ts';
import { oddities, type Oddity } from './agent/oddities.ts';
import { restoredOddities } from './agent/restored.ts';
import { agentMutants } from './agent-mutants.ts';
import { type Mutant, mutantAgent } from './mutant-line.ts';

const longTimeouts = { answer: within(15_000), turn: within(15_000) };
/** Short timeouts suffice for the many mutants that show by a missing message. */
const shortTimeouts = { answer: within(500), turn: within(1_000) };
let home: AgentHome;
let agentProcess: AgentSubject;
beforeAll(async () => {
  home = await agentHome();
  agentProcess = builtInAgentProcess(home);
});
afterAll(() => home[Symbol.asyncDispose]());

/** The requirements that a scenario finds broken in an agent. */
async function brokenBy(
  subject: AgentSubject,
  { scenario: id, needs }: Pick<Mutant, 'scenario' | 'needs'>,
  timeouts: typeof longTimeouts,
): Promise<readonly string[]> {
  const scenario = agentScenarios.find((known) => known.id === id);
  if (scenario === undefined) throw new Error(`the scenario ${id} does not exist`);
  const { observations, harnessError } = await runAgentScenario(subject, scenario, {
    steering: defaultSteering,
    timeouts: timeouts,
    seed: 1,
    ...(needs === 'login' && { authMethod: 'key' }),
  });
  if (harnessError !== undefined) throw new Error(harnessError);
  return observations.filter(({ outcome }) => outcome === 'broken').map(({ requirement }) => requirement);
}

function subjectFor({ needs }: Mutant): AgentSubject {
  if (needs === 'login') return loginAgent();
  if (needs === 'shared') return sharedAgent();
  if (needs === 'unstable') return unstableAgent();
  return needs === 'process' ? agentProcess : builtInAgent(home);
}

/**
 * The requirements that a scenario finds broken in a mutant. Short timeouts first; on a busy machine these may find other faults, so a
 * miss is repeated with long ones.
 */
async function findBroken(subject: AgentSubject, mutant: Mutant): Promise<readonly string[]> {
  const soon = await brokenBy(subject, mutant, shortTimeouts);
  return soon.includes(mutant.breaks) ? soon : brokenBy(subject, mutant, longTimeouts);
}

describe.concurrent('no other violation is reported for an agent that', () => {
  const all: readonly Oddity[] = [...oddities, ...restoredOddities, ...lastingOddities];
  const cases = all.flatMap(({ scenarios, ...oddity }) => scenarios.map((scenario) => ({ ...oddity, scenario })));
  test.each(cases)('$name, in $scenario', async ({ defect, scenario, breaks = [] }) => {
    const subject = mutantAgent(builtInAgent(home), defect);
    const soon = await brokenBy(subject, { scenario }, shortTimeouts);
    const found = soon.join() === breaks.join() ? soon : await brokenBy(subject, { scenario }, longTimeouts);
    expect(found).toEqual(breaks);
  });
});

/** The requirements that scenarios find broken in agents without a defect, cached. */
const found = new Map<string, Promise<readonly string[]>>();

function brokenWithout(mutant: Mutant): Promise<readonly string[]> {
  // check-agent.test.ts shows for all scenarios that nothing is broken in the built-in agent in this process.
  if (mutant.needs === undefined) return Promise.resolve([]);
  const key = `${mutant.scenario} ${mutant.needs}`;
  const known = found.get(key) ?? brokenBy(subjectFor(mutant), mutant, longTimeouts);
  found.set(key, known);
  return known;
}

describe.concurrent('a scenario finds the fault of an agent that', () => {
  test.each(agentMutants)('$name', async (mutant) => {
    const without = await brokenWithout(mutant);
    const broken = await findBroken(mutantAgent(subjectFor(mutant), mutant.defect), mutant);
    expect({ without, with: broken }).toEqual({ without: [], with: expect.arrayContaining([mutant.breaks]) });
  });
});

test('every scenario has a mutant', () => {
  const caught = new Set(agentMutants.map(({ scenario }) => scenario));
  const ofProcesses = scenariosIn(1, agentScenarios).filter(({ over }) => over === undefined);
  expect(ofProcesses.filter(({ id }) => !caught.has(id)).map(({ id }) => id)).toEqual([]);
});
