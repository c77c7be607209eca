import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../tools/bundle-program.mjs';
import { checkClient } from '../src/client/check-client.ts';
import { plainDriver } from '../src/client/drive/client-driver.ts';
import { commandClient } from '../src/client/drive/command-client.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';

const officialClient = bundleProgram(fileURLToPath(new URL('peers/official-client.mjs', import.meta.url)));

const hangs = 'the client did not end';
/** How long a client that ends by itself may take, however busy the machine is: one that was interrupted is found to hang, and nothing else. */
const toItsEnd = 120_000;

test.each([
  ['session', 'updates/before-the-session', 'R337', 'what the agent said before it answered session/new was not shown'],
  ['session', 'misbehaving/noise-flood', 'R336', hangs],
  ['session', 'misbehaving/line-of-40-megabytes', 'R337', 'what the agent said afterwards was not shown'],
  ['handler', 'updates/before-the-answer', 'R369', 'of 200 updates before the answer'],
])('a client made with the official SDK, with a %s, is reported in %s', { timeout: 3 * toItsEnd }, async (...row) => {
  const [habit, wanted, requirement, message] = row;
  const words = [process.execPath, officialClient, '{agent}', '{cwd}', '{prompt}'];
  const { results, unreachable } = await checkClient(commandClient({ ...plainDriver(words), env: { HABIT: habit } }), {
    scenarios: clientScenarios.filter(({ id }) => id === wanted),
    patience: { start: 60_000, answer: 5_000, end: message === hangs ? 8_000 : toItsEnd, leave: 2_000 },
  });
  const broken = results.flatMap(({ observations }) => observations).filter(({ outcome }) => outcome === 'broken');
  const found = broken.find((each) => each.requirement === requirement)?.message.slice(0, message.length);
  expect({ unreachable, found }).toEqual({ unreachable: undefined, found: message });
});
