import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findings } from './axe-findings.ts';
import { begin, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { agentOf } from './showing-agent.ts';

const login = join(mkdtempSync(join(tmpdir(), 'turnwire-login-')), 'login');
const served = servedPage(agentOf(new URL('fixtures/login-agent.ts', import.meta.url), login));

test.skipIf(withoutBrowser)(
  `an agent that requires a login gets it, before a session and after the login has expired${unless}`,
  async () => {
    const page = await served.open();
    const card = page.getByRole('region', { name: 'The agent requires a login' });
    await begin(page);
    await card.getByRole('button', { name: 'With a wrong key' }).click();
    await card.getByRole('alert').waitFor();
    const found = await findings(page);
    const failure = await card.getByRole('alert').textContent();
    await card.getByRole('button', { name: 'With the right key' }).click();
    await page.locator('.state.ready').waitFor();
    await send(page, 'hello');
    await page.locator('.agent').getByText('done: hello').waitFor();
    await send(page, 'expired');
    await card.getByRole('button', { name: 'With the right key' }).click();
    await page.locator('.agent').getByText('done: expired').waitFor();
    await page.locator('.state.ready').waitFor();
    expect({ found, failure, cards: await card.count(), errors: served.errors }).toEqual({
      found: [],
      failure: 'The key is wrong',
      cards: 0,
      errors: [],
    });
  },
);

test.skipIf(withoutBrowser)(`a login can be postponed, and a second attempt opens the session${unless}`, async () => {
  const page = await served.open();
  await rm(login, { force: true });
  await begin(page);
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByText('The session could not be opened: Log in first').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'With the right key' }).click();
  await page.locator('.state.ready').waitFor();
  await send(page, 'hello');
  await page.locator('.agent').getByText('done: hello').waitFor();
  expect(served.errors).toEqual([]);
});

test.skipIf(withoutBrowser)(
  `a terminal login is shown as a command for the server's machine, and the session opens after the command ran there${unless}`,
  async () => {
    const page = await served.open();
    await rm(login, { force: true });
    await begin(page);
    const card = page.getByRole('region', { name: 'The agent requires a login' });
    const done = card.getByRole('button', { name: 'I have logged in there' });
    const command = (await card.locator('.command-line').textContent()) ?? '';
    await done.click();
    await done.waitFor();
    const found = await findings(page);
    execFileSync('sh', ['-c', command]);
    await done.click();
    await page.locator('.state.ready').waitFor();
    await send(page, 'hello');
    await page.locator('.agent').getByText('done: hello').waitFor();
    expect({ found, command, as: await readFile(login, 'utf8'), errors: served.errors }).toEqual({
      found: [],
      command: expect.stringMatching(/^env LOGIN_AS=ada .* --log-in$/),
      as: 'ada',
      errors: [],
    });
  },
);
