import { describe, expect, test } from 'vitest';
import { runClientScenario } from '../../src/client/run-client-scenario.ts';
import type { ClientScenario } from '../../src/client/client-scenario.ts';
import type { ClientSubject } from '../../src/client/drive/client-subject.ts';
import { clientScenarios } from '../../src/client/scenarios/scenarios.ts';
import { builtInClient } from '../peers/built-in-client.ts';
import { mutantClient } from './client-mutant.ts';
import { clientMutants } from './client-mutants.ts';

const patient = { start: 20_000, answer: 10_000, end: 20_000, leave: 8_000 };
const impatient = { start: 5_000, answer: 1_000, end: 1_200, leave: 300 };
const unhurried = { ...impatient, answer: 3_000, end: 20_000 };

describe.concurrent('a mutant is caught: a client that', () => {
  test.each(clientMutants)('$name ($scenario)', async (mutant) => {
    const { scenario: id, breaks, needs = 'memory', quirk, isSlow = false } = mutant;
    const scenario = clientScenarios.find((known) => known.id === id);
    if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
    const mutated = mutantClient(builtInClient(needs, quirk), mutant);
    expect({
      without: await brokenBy(builtInClient(needs), scenario, patient),
      with: await brokenBy(mutated, scenario, isSlow ? unhurried : impatient),
    }).toEqual({ without: [], with: expect.arrayContaining([breaks]) });
  });
});

test('every scenario has a mutant', () => {
  const caught = new Set(clientMutants.map(({ scenario }) => scenario));
  expect(clientScenarios.filter(({ id }) => !caught.has(id)).map(({ id }) => id)).toEqual([]);
});

async function brokenBy(
  subject: ClientSubject,
  scenario: ClientScenario,
  patience: typeof patient,
): Promise<readonly string[]> {
  const { observations, mishap } = await runClientScenario(subject, scenario, { patience, seed: 1 });
  expect(mishap).toBe(undefined);
  return observations.filter(({ outcome }) => outcome === 'broken').map(({ requirement }) => requirement);
}
