import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../tools/bundle-program.mjs';
import { checkClient } from '../src/client/check-client.ts';
import { plainDriver } from '../src/client/drive/client-driver.ts';
import { commandClient } from '../src/client/drive/command-client.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';

const officialClient = bundleProgram(fileURLToPath(new URL('peers/official-remote-client.mjs', import.meta.url)));

test.each([
  ['http', ['R356', 'R357', 'R358', 'R359', 'R360', 'R361', 'R363', 'R364', 'R365']],
  ['websocket', ['R354', 'R355', 'R362', 'R363', 'R364']],
] as const)('the client of the official SDK keeps what is asked of clients over %s', async (over, kept) => {
  const client = commandClient(plainDriver([process.execPath, officialClient, '{agent}', '{cwd}', '{prompt}']), over);
  const scenarios = clientScenarios.filter((scenario) => scenario.over === over);
  const { verdicts, introduction } = await checkClient(client, { scenarios, jobs: 2 });
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed').map(({ requirement: { id } }) => id);
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ requirement: { id } }) => id);
  expect({ name: introduction?.name, passed: passed.filter((id) => id > 'R339'), failed }).toEqual({
    name: 'official',
    passed: kept,
    // It states only the capabilities that it is given.
    failed: ['R044'],
  });
});
