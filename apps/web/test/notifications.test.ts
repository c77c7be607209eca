import { expect, test } from 'vitest';
import { noBrowser } from '../../../tools/test/find-browser.ts';
import { begin, send, servedPage, wholeBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent(), wholeBrowser);
const withoutBrowser = wholeBrowser === undefined;
const unless = noBrowser(wholeBrowser);

test.skipIf(withoutBrowser)(`a notification announces a waiting question and leads to it${unless}`, async () => {
  const page = await served.open({ permissions: ['notifications'] });
  await begin(page, 'hello');
  await page.locator('.state.ready').waitFor();
  // A background page in a headless browser, whose notifications are invisible.
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { get: () => true });
    globalThis.notices = [];
    ServiceWorkerRegistration.prototype.showNotification = async (...given) => void notices.push(given);
  `);
  await send(page, 'hidden');
  await expect
    .poll(() => page.evaluate('globalThis.notices'))
    .toEqual([
      [
        'hello',
        {
          body: 'The agent asks you something.',
          tag: expect.any(String),
          icon: 'icon-192.png',
          data: { address: page.url() },
        },
      ],
    ]);
  expect(served.errors).toEqual([]);
});

test.skipIf(withoutBrowser)(`a page whose server cannot be reached says so when it opens${unless}`, async () => {
  const page = await served.open();
  // A reload before the end of the login would lose its ticket, which is valid once.
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  await page.evaluate('navigator.serviceWorker.ready');
  await page.context().setOffline(true);
  await page.reload();
  expect(await page.locator('body').innerText()).toContain('Your server cannot be reached');
  await page.context().setOffline(false);
  const retry = page.getByRole('link', { name: 'Try again' });
  // The first attempt may still be offline. A click during an attempt would restart it.
  do await Promise.all([page.waitForEvent('load'), retry.click()]);
  while (await retry.isVisible());
  await page.getByRole('button', { name: 'Begin' }).waitFor();
});

test.skipIf(withoutBrowser)(`clicking a notification brings its session to the front${unless}`, async () => {
  const page = await served.open({ permissions: ['notifications'] });
  await begin(page, 'hello');
  await page.locator('.state.ready').waitFor();
  const address = page.url();
  await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })");
  await page.evaluate('navigator.serviceWorker.ready');
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'));
  await send(page, 'hidden');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  // Only a user's click may focus a window.
  await worker.evaluate(`(async () => {
    globalThis.focused = 0;
    WindowClient.prototype.focus = async function () { globalThis.focused++; return this; };
    const click = new ExtendableEvent('notificationclick');
    click.notification = { close: () => undefined, data: { address: ${JSON.stringify(address)} } };
    dispatchEvent(click);
  })()`);
  await page.locator('.user').getByText('hello').waitFor();
  expect({ address: page.url(), focused: await worker.evaluate('globalThis.focused') }).toEqual({
    address,
    focused: 1,
  });
});
