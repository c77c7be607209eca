import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../tools/bundle-program.mjs';
import { checkClient } from '../src/client/check-client.ts';
import { plainDriver } from '../src/client/drive/client-driver.ts';
import { commandClient } from '../src/client/drive/command-client.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';

const officialClient = bundleProgram(fileURLToPath(new URL('peers/official-client.mjs', import.meta.url)));

const hangs = 'the client did not exit';
/** The timeout for a client that exits by itself, even on a busy machine: an interrupted client would only be reported as hanging. */
const toItsEnd = 120_000;

test.each([
  ['session', 'updates/before-the-session', 'R337', 'a message from before the answer to session/new was not shown'],
  ['session', 'misbehaving/noise-flood', 'R336', hangs],
  ['session', 'misbehaving/line-of-40-megabytes', 'R337', 'later messages of the agent were not shown'],
  ['handler', 'updates/before-the-answer', 'R369', 'of 200 updates before the answer'],
])('a client with the official SDK and a %s breaks a requirement of %s', { timeout: 3 * toItsEnd }, async (...row) => {
  const [reader, wanted, requirement, message] = row;
  const argv = [process.execPath, officialClient, '{agent}', '{cwd}', '{prompt}'];
  const { results, unreachable } = await checkClient(commandClient({ ...plainDriver(argv), env: { READER: reader } }), {
    scenarios: clientScenarios.filter(({ id }) => id === wanted),
    timeouts: { start: 60_000, answer: 5_000, end: message === hangs ? 8_000 : toItsEnd, leave: 2_000 },
  });
  const broken = results.flatMap(({ observations }) => observations).filter(({ outcome }) => outcome === 'broken');
  const found = broken.find((each) => each.requirement === requirement)?.message.slice(0, message.length);
  expect({ unreachable, found }).toEqual({ unreachable: undefined, found: message });
});
