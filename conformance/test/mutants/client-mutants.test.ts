import { describe, expect, test } from 'vitest';
import { runClientScenario } from '../../src/client/run-client-scenario.ts';
import type { ClientCheckSettings, ClientScenario } from '../../src/client/client-context.ts';
import type { ClientSubject } from '../../src/client/drive/client-subject.ts';
import { clientScenarios } from '../../src/client/scenarios/scenarios.ts';
import { requirements } from '../../src/requirements/requirements.ts';
import { within } from '../../../tools/pace.ts';
import { builtInClient } from '../peers/built-in-client.ts';
import { type ClientMutant, mutantClient } from './client-mutant.ts';
import { lastingOddities } from './client/lasting.ts';
import { clientMutants } from './client-mutants.ts';

type Run = Pick<ClientCheckSettings, 'timeouts' | 'version'>;

const longTimeouts = { start: within(20_000), answer: within(20_000), end: within(20_000), leave: within(4_000) };
/** Short timeouts suffice for the many mutants that show by a missing message. */
const shortTimeouts = { start: within(2_500), answer: within(500), end: within(600), leave: within(150) };
const slowTimeouts = { ...shortTimeouts, answer: within(1_500), end: within(10_000) };

describe.concurrent('a scenario finds the fault of a client that', () => {
  const titled = clientMutants.map(
    (each) => [`${each.name} (${each.scenario}, version ${each.version ?? 1})`, each] as const,
  );

  test.each(titled)('%s', async (_, mutant) => {
    const { scenario: id, breaks, needs = 'memory', quirk, isSlow = false, version } = mutant;
    const scenario = clientScenarios.find((known) => known.id === id);
    if (scenario === undefined) throw new Error(`the scenario ${id} does not exist`);
    const mutated = mutantClient(builtInClient(needs, quirk, mutant.wire), mutant);
    const soon = await brokenBy(mutated, scenario, { timeouts: isSlow ? slowTimeouts : shortTimeouts, version });
    expect({
      without: await brokenWithout(scenario, mutant),
      // Short timeouts may find other faults on a busy machine.
      with: soon.includes(breaks) ? soon : await brokenBy(mutated, scenario, { timeouts: longTimeouts, version }),
    }).toEqual({ without: [], with: expect.arrayContaining([breaks]) });
  });
});

describe.concurrent('no violation is reported for a client that', () => {
  test.each(lastingOddities)('$name', async ({ name, scenario: id, defect, isSlow = false }) => {
    const scenario = clientScenarios.find((known) => known.id === id) as ClientScenario;
    const odd = mutantClient(builtInClient('memory'), {
      name,
      scenario: id,
      breaks: 'R336',
      ...(defect && { defect }),
    });
    const soon = await brokenBy(odd, scenario, { timeouts: isSlow ? slowTimeouts : shortTimeouts });
    expect(soon.length === 0 ? soon : await brokenBy(odd, scenario, { timeouts: longTimeouts })).toEqual([]);
  });
});

test('every scenario has a mutant', () => {
  const caught = new Set(clientMutants.map(({ scenario }) => scenario));
  expect(clientScenarios.filter(({ id }) => !caught.has(id)).map(({ id }) => id)).toEqual([]);
});

test('every observable requirement on clients that only version 2 has is broken by a mutant', () => {
  const found = new Set(clientMutants.map(({ breaks }) => breaks));
  const owed = requirements.filter(
    ({ profile, binds, sameAs, unobservable }) =>
      profile === 'v2' && binds !== 'agent' && sameAs === undefined && unobservable?.client === undefined,
  );
  expect(owed.filter(({ id }) => !found.has(id)).map(({ id }) => id)).toEqual([]);
});

/** The requirements that scenarios find broken in clients without a defect, cached. */
const found = new Map<string, Promise<readonly string[]>>();

function brokenWithout(
  scenario: ClientScenario,
  { needs = 'memory', version }: Pick<ClientMutant, 'version'> & { readonly needs?: 'memory' | ClientMutant['needs'] },
): Promise<readonly string[]> {
  const key = `${scenario.id} ${needs} ${String(version)}`;
  const known = found.get(key) ?? brokenBy(builtInClient(needs), scenario, { timeouts: longTimeouts, version });
  found.set(key, known);
  return known;
}

async function brokenBy(subject: ClientSubject, scenario: ClientScenario, run: Run): Promise<readonly string[]> {
  const { observations, harnessError } = await runClientScenario(subject, scenario, { ...run, seed: 1 });
  expect(harnessError).toBe(undefined);
  return observations.filter(({ outcome }) => outcome === 'broken').map(({ requirement }) => requirement);
}
