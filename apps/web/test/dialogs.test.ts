import { expect, test } from 'vitest';
import { findings } from './axe-findings.ts';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

test.skipIf(withoutBrowser)(
  `Back closes a dialog and stays in the session, and a closed dialog is not in the history${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'picture');
    await page.locator('.state.ready').waitFor();
    const isEntry = (): Promise<unknown> => page.evaluate('history.state?.isDialog === true');
    const address = page.url();
    const picture = page.getByRole('dialog', { name: 'Picture' });
    await page.getByRole('button', { name: 'Show the picture larger' }).press('Enter');
    await picture.waitFor();
    await expect.poll(isEntry).toBe(true);
    const found = await findings(page);
    await page.goBack();
    await picture.waitFor({ state: 'hidden' });
    const afterBack = [page.url() === address, await isEntry()];
    const menu = page.getByRole('dialog', { name: 'Session' });
    await page.getByRole('button', { name: /^Rename/ }).click();
    await menu.waitFor();
    await expect.poll(isEntry).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(isEntry).toBe(false);
    expect({
      found,
      afterBack,
      menus: await menu.count(),
      isHere: page.url() === address,
      errors: served.errors,
    }).toEqual({
      found: [],
      afterBack: [true, false],
      menus: 0,
      isHere: true,
      errors: [],
    });
  },
);
