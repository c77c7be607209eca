import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../cli/test/running-server.ts';
import { findings } from './axe-findings.ts';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());
const review = (page: Page): Locator => page.getByRole('button', { name: /^Review/ });

test.skipIf(withoutBrowser)(
  `a page stays logged in when its server is killed and restarted, and reloads with its sessions${unless}`,
  async () => {
    const { folder } = served;
    const first = await startServer(folder, ['--root', folder, ...showingAgent()]);
    const page = await served.visit(first.web);
    await begin(page, 'before the restart');
    await page.locator('.state.ready').waitFor();
    const listed = page.getByRole('navigation', { name: 'Sessions' }).locator('.listed');
    await listed.waitFor();
    await first.end('SIGKILL');
    await page.getByText('Offline. Connect now').waitFor();
    const offline = await listed.count();
    const second = await startServer(folder, [
      '--root',
      folder,
      '--listen',
      new URL(first.url).host,
      ...showingAgent(),
    ]);
    onTestFinished(() => void second.end('SIGKILL'));
    await page.locator('.state.ready').waitFor();
    await page.reload();
    await send(page, 'after it');
    await page.locator('.agent').getByText('code small: after it').waitFor();
    expect({ offline, prompts: await page.locator('.user').allInnerTexts() }).toEqual({
      offline: 1,
      prompts: ['before the restart', 'after it'],
    });
  },
);

test.skipIf(withoutBrowser)(
  `a page whose token was revoked asks for another one, and continues at the same session${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'still here');
    await page.locator('.state.ready').waitFor();
    await editor(page).fill('half a prompt');
    await page.evaluate(`localStorage.setItem('turnwire.login', 'page-void')`);
    // The connection breaks, and the next one is refused.
    await page.context().setOffline(true);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.getByText('Offline. Connect now').waitFor();
    await page.context().setOffline(false);
    await page.getByLabel('Token').fill(served.server.token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('.state.ready').waitFor();
    expect({
      prompts: await page.locator('.user').allInnerTexts(),
      draft: await editor(page).inputValue(),
    }).toEqual({ prompts: ['still here'], draft: 'half a prompt' });
  },
);

test.skipIf(withoutBrowser)(
  `a page that logs out also logs out the other tabs, and its token is void${unless}`,
  async () => {
    const page = await served.open();
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    const other = await served.another(page);
    await other.getByRole('button', { name: 'Begin' }).waitFor();
    const token = await page.evaluate(`localStorage.getItem('turnwire.login')`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await Promise.all([page, other].map((each) => each.getByLabel('Token').waitFor()));
    const headers = { authorization: `Bearer ${String(token)}`, origin: served.server.url };
    const { status } = await fetch(`${served.server.url}/server`, { headers });
    expect({ status, left: await page.evaluate(`localStorage.getItem('turnwire.login')`) }).toEqual({
      status: 401,
      left: null,
    });
  },
);

test.skipIf(withoutBrowser)(
  `a page lists the other logged-in browsers and the links to watch, and can end each${unless}`,
  async () => {
    const [page, lost] = [await served.open(), await served.open()];
    await lost.getByRole('button', { name: 'Begin' }).waitFor();
    await begin(page, 'to be watched');
    await page.locator('.state.ready').waitFor();
    await page.getByRole('button', { name: 'Rename, fork, export or delete the session' }).click();
    await page.getByRole('button', { name: 'Make a link to watch it' }).click();
    await page.getByLabel('Who has this link can watch the session, for a day').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Devices and links' }).click();
    const dialog = page.getByRole('dialog', { name: 'Devices and links' });
    await dialog.getByText('this browser').waitFor();
    await dialog.getByRole('button', { name: /^End: Link to watch the session/ }).click();
    await dialog.getByText('Link to watch').waitFor({ state: 'hidden' });
    // Other tests have left logins.
    const ends = dialog.getByRole('button', { name: /^End: Chrome on/ });
    for (let count = await ends.count(); count > 0; count--) {
      await ends.first().click();
      await expect.poll(() => ends.count()).toBe(count - 1);
    }
    await lost.getByLabel('Token').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await editor(page).waitFor();
  },
);

test.skipIf(withoutBrowser)(
  `when the owner opens a link to watch, only that tab watches, and the other tabs are unchanged${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'to be shared');
    await page.locator('.state.ready').waitFor();
    await page.getByRole('button', { name: 'Rename, fork, export or delete the session' }).click();
    await page.getByRole('button', { name: 'Make a link to watch it' }).click();
    const link = await page.getByLabel('Who has this link can watch the session, for a day').inputValue();
    const watching = await page.context().newPage();
    await watching.goto(link);
    await watching.getByText('watching').waitFor();
    await page.reload();
    await editor(page).waitFor();
    expect({
      watching: await editor(watching).count(),
      reviews: [await review(page).count(), await review(watching).count()],
      hasToken: watching.url().includes('watch='),
      page: await page.getByText('watching').count(),
    }).toEqual({ watching: 0, reviews: [1, 0], hasToken: false, page: 0 });
  },
);

test.skipIf(withoutBrowser)(`a tab whose link to watch is void logs in with a token${unless}`, async () => {
  const page = await served.visit(`${served.server.url}/`);
  await page.evaluate(`sessionStorage.setItem('turnwire.login', 'page-void')`);
  await page.getByLabel('Token').fill(served.server.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  expect(await page.evaluate(`sessionStorage.getItem('turnwire.login')`)).toBeNull();
});

test.skipIf(withoutBrowser)(
  `a ticket pasted into an open page is used and removed from the address${unless}`,
  async () => {
    const page = await served.open();
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    const before = await page.evaluate(`localStorage.getItem('turnwire.login')`);
    const answer = await fetch(`${served.server.url}/tickets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${served.server.token}` },
      body: JSON.stringify({ origin: served.server.url }),
    });
    const { ticket } = (await answer.json()) as { readonly ticket: string };
    await page.goto(`${served.server.url}/#ticket=${ticket}`);
    await expect.poll(() => page.evaluate(`localStorage.getItem('turnwire.login')`)).not.toBe(before);
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    expect(page.url()).toBe(`${served.server.url}/`);
  },
);
