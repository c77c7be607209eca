import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { begin, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnwire-no-agent-'));
const usable = join(folder, 'usable');
const [option, words = ''] = showingAgent();
const unready = `sh -c 'test -e ${usable} || { echo no key >&2; exit 3; }; exec ${words.replaceAll("'", '')}'`;
const served = servedPage([option as string, unready]);

test.skipIf(withoutBrowser)(
  `an agent that cannot start is reported with the reason, and starts once the cause is repaired${unless}`,
  async () => {
    const page = await served.open();
    await begin(page);
    const failure = await page.locator('.transcript', { hasText: 'The session could not be opened' }).innerText();
    const state = await page.locator('.state', { hasNotText: 'Connecting' }).innerText();
    expect(existsSync(usable)).toBe(false);
    writeFileSync(usable, '');
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.locator('.state.ready').waitFor();
    await send(page, 'thought');
    await page.locator('.user').waitFor();
    await page.locator('.state.ready').waitFor();
    expect({ failure, state, errors: served.errors }).toEqual({
      failure: expect.stringContaining('no key') as unknown,
      state: 'No agent. Try again',
      errors: [],
    });
  },
);
