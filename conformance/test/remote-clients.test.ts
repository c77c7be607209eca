import { expect, test } from 'vitest';
import { checkClient } from '../src/client/check-client.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';
import { officialClient, officialClientProcess } from './peers/official-remote-client.ts';

test.each([
  ['http', officialClient, ['R356', 'R357', 'R358', 'R359', 'R360', 'R361', 'R363', 'R364', 'R365']],
  ['websocket', officialClientProcess, ['R354', 'R355', 'R362', 'R363', 'R364']],
] as const)('a client with the official SDK meets the requirements for clients over %s', async (over, client, kept) => {
  const scenarios = clientScenarios.filter((scenario) => scenario.over === over);
  const { verdicts, introduction } = await checkClient(client(), { scenarios, jobs: 2 });
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed').map(({ requirement: { id } }) => id);
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ requirement: { id } }) => id);
  expect({ name: introduction?.name, passed: passed.filter((id) => id > 'R339'), failed }).toEqual({
    name: 'official',
    passed: kept,
    // It sends only the capabilities that it was configured with.
    failed: ['R044'],
  });
});
