import { describe, expect, test } from 'vitest';
import { runClientScenario } from '../../src/client/run-client-scenario.ts';
import type { ClientScenario } from '../../src/client/client-stage.ts';
import type { ClientSubject } from '../../src/client/drive/client-subject.ts';
import { clientScenarios } from '../../src/client/scenarios/scenarios.ts';
import { within } from '../../../tools/pace.ts';
import { builtInClient } from '../peers/built-in-client.ts';
import { type ClientMutant, mutantClient } from './client-mutant.ts';
import { clientMutants } from './client-mutants.ts';

const patient = { start: within(10_000), answer: within(5_000), end: within(10_000), leave: within(4_000) };
/** Many mutants show by what never comes. */
const impatient = { start: within(2_500), answer: within(500), end: within(600), leave: within(150) };
const unhurried = { ...impatient, answer: within(1_500), end: within(10_000) };

describe.concurrent('a mutant is caught: a client that', () => {
  test.each(clientMutants)('$name ($scenario)', async (mutant) => {
    const { scenario: id, breaks, needs = 'memory', quirk, isSlow = false } = mutant;
    const scenario = clientScenarios.find((known) => known.id === id);
    if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
    const mutated = mutantClient(builtInClient(needs, quirk, mutant.wire), mutant);
    const soon = await brokenBy(mutated, scenario, isSlow ? unhurried : impatient);
    expect({
      without: await brokenWithout(scenario, needs),
      // On a busy machine haste finds other things.
      with: soon.includes(breaks) ? soon : await brokenBy(mutated, scenario, patient),
    }).toEqual({ without: [], with: expect.arrayContaining([breaks]) });
  });
});

test('every scenario has a mutant', () => {
  const caught = new Set(clientMutants.map(({ scenario }) => scenario));
  expect(clientScenarios.filter(({ id }) => !caught.has(id)).map(({ id }) => id)).toEqual([]);
});

/** What scenarios find broken in the clients without a defect: looked for once. */
const found = new Map<string, Promise<readonly string[]>>();

function brokenWithout(
  scenario: ClientScenario,
  needs: 'memory' | NonNullable<ClientMutant['needs']>,
): Promise<readonly string[]> {
  const key = `${scenario.id} ${needs}`;
  const known = found.get(key) ?? brokenBy(builtInClient(needs), scenario, patient);
  found.set(key, known);
  return known;
}

async function brokenBy(
  subject: ClientSubject,
  scenario: ClientScenario,
  patience: typeof patient,
): Promise<readonly string[]> {
  const { observations, harnessError } = await runClientScenario(subject, scenario, { patience, seed: 1 });
  expect(harnessError).toBe(undefined);
  return observations.filter(({ outcome }) => outcome === 'broken').map(({ requirement }) => requirement);
}
