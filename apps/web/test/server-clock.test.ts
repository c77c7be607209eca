import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CutLine } from '../../../packages/cluster/test/nodes/cut-line.ts';
import { ServerClock } from '../src/server/server-clock.ts';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());
const hour = 3_600_000;

test("the message with the least delay sets the server's time, and a changed clock is measured again", () => {
  let local = 10_000;
  const clock = new ServerClock(() => local);
  const seen = [clock.now()];
  for (const at of [2_000, 4_000, NaN, 3_000]) clock.measure(at);
  seen.push(clock.now());
  local += hour;
  for (let time = 0; time < 20; time++) clock.measure(4_000);
  seen.push(clock.now());
  expect(seen).toEqual([10_000, 4_000, 4_000]);
});

/** Sets the clock of a page and reloads it. */
async function withClock(page: Page, ahead: number): Promise<void> {
  await page.addInitScript(`{ const { now } = Date; Date.now = () => now() + ${ahead}; }`);
  await page.reload();
}

for (const [what, ahead] of [
  ['ahead', 2 * hour],
  ['behind', -2 * hour],
] as const)
  test.skipIf(withoutBrowser)(
    `with a clock that is two hours ${what}, a tool call shows its real duration, and a session its real age${unless}`,
    async () => {
      const page = await served.open();
      await page.getByRole('button', { name: 'Begin' }).waitFor();
      await withClock(page, ahead);
      await begin(page, 'running');
      const duration = page.locator('.duration');
      const session = page.getByRole('navigation', { name: 'Sessions' }).locator('[aria-current]');
      await duration.waitFor();
      const live = await duration.textContent();
      await session.getByText('just now', { exact: false }).waitFor();
      await page.reload();
      await duration.waitFor();
      const texts = { live, reloaded: await duration.textContent() };
      await page.getByRole('button', { name: 'Cancel the turn' }).click();
      const seconds = expect.stringMatching(/^[\d.]+ s$/);
      expect(texts).toEqual({ live: seconds, reloaded: seconds });
    },
  );

test.skipIf(withoutBrowser)(`the age of a session grows while the page is offline${unless}`, async () => {
  const between = await CutLine.to(Number(new URL(served.server.url).port));
  const page = await served.open({}, `http://127.0.0.1:${between.port}`);
  // A reload before the end of the login would lose its ticket, which is valid once.
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  await page.clock.install();
  await page.reload();
  await begin(page, 'markdown');
  await page.locator('.state.ready').waitFor();
  const session = page.getByRole('navigation', { name: 'Sessions' }).locator('[aria-current]');
  await session.getByText('just now', { exact: false }).waitFor();
  between.cut();
  await page.getByRole('button', { name: /Offline/ }).waitFor();
  await page.clock.fastForward(3 * 60_000);
  await expect.poll(() => session.innerText()).toMatch(/[3-9] min ago/);
});
