import { describe, expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { runAgentScenario } from '../../src/agent/run-agent-scenario.ts';
import { agentScenarios } from '../../src/agent/scenarios/scenarios.ts';
import { defaultSteering } from '../../src/agent/steering.ts';
import { acceptVersion2, remoteAgent, type ServerDefect } from '../peers/remote-agent.ts';
import { serverMutants } from './agent/remote.ts';

const remoteScenarios = agentScenarios.filter(({ over }) => over !== undefined);

/** The observations of a scenario on a server. */
async function observedOf(
  id: string,
  answer: number,
  { defect, version = 1 }: { readonly defect?: ServerDefect; readonly version?: 1 | 2 } = {},
): Promise<readonly string[]> {
  const scenario = remoteScenarios.find((known) => known.id === id);
  if (scenario?.over === undefined) throw new Error(`the scenario ${id} does not exist`);
  await using agent = await remoteAgent(scenario.over, defect, version === 2 ? acceptVersion2 : undefined);
  const { observations, harnessError } = await runAgentScenario(agent.subject, scenario, {
    steering: defaultSteering,
    timeouts: { answer, turn: within(15_000) },
    seed: 1,
    version,
  });
  if (harnessError !== undefined) throw new Error(harnessError);
  return observations.map(({ requirement, outcome }) => `${requirement} ${outcome}`);
}

describe.concurrent('a conforming server meets every requirement of', () => {
  test.each(remoteScenarios.map(({ id, covers }) => [id, covers] as const))('%s', async (id, covers) => {
    const observed = await observedOf(id, within(5_000));
    expect(observed.toSorted()).toEqual(covers.map((requirement) => `${requirement} held`));
  });
});

describe.concurrent('a conforming server of version 2 meets every requirement of', () => {
  test.each(remoteScenarios.map(({ id, covers }) => [id, covers] as const))('%s', async (id, covers) => {
    const observed = await observedOf(id, within(5_000), { version: 2 });
    expect(observed.toSorted()).toEqual(covers.map((requirement) => `${requirement} held`));
  });
});

describe.concurrent.each([1, 2] as const)('in version %i a scenario finds the fault of a server that', (version) => {
  test.each(serverMutants)('$name', async ({ scenario, breaks, defect }) => {
    const soon = await observedOf(scenario, within(500), { defect: defect(), version });
    // On a busy machine a short timeout may lead to another result.
    const isFound = soon.includes(`${breaks} broken`);
    expect(isFound ? soon : await observedOf(scenario, within(5_000), { defect: defect(), version })).toContain(
      `${breaks} broken`,
    );
  });
});

test('every requirement of a remote scenario has a mutant that breaks it in that scenario', () => {
  const caught = new Set(serverMutants.map(({ scenario, breaks }) => `${scenario} ${breaks}`));
  const owed = remoteScenarios.flatMap(({ id, covers }) => covers.map((requirement) => `${id} ${requirement}`));
  expect(owed.filter((each) => !caught.has(each))).toEqual([]);
});

test('every remote scenario judges both versions', () => {
  expect(remoteScenarios.filter(({ versions = [] }) => versions.join() !== '1,2').map(({ id }) => id)).toEqual([]);
});
