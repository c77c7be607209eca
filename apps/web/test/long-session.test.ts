import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

/** The content of the drawn rows while the page scrolls from the end to the start. */
const scrolledThrough = `(async () => {
  const box = document.querySelector('.transcript');
  const seen = new Map();
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  for (let still = 0; still < 30;) {
    for (const row of document.querySelectorAll('.row')) {
      const title = row.querySelector('.tool .tool-title, .user, .turn-end');
      seen.set(Number(row.dataset.row), title?.textContent + ' ' + (row.querySelector('.tool-state')?.ariaLabel ?? ''));
    }
    const { scrollTop } = box;
    box.scrollTop -= box.clientHeight / 2;
    await frame();
    still = box.scrollTop === 0 && scrollTop === 0 && !document.querySelector('.loading-earlier') ? still + 1 : 0;
  }
  return [...seen].sort(([one], [other]) => one - other).map(([, text]) => text);
})()`;

async function opened(page: Page): Promise<Page> {
  const other = await served.another(page);
  await other.locator('.row').first().waitFor();
  await other.locator('.state.ready').waitFor();
  return other;
}

test.skipIf(withoutBrowser)(
  `a long session opens at its end, and loads earlier entries as the user scrolls back${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'markdown');
    await send(page, 'long');
    await page.getByRole('button', { name: 'Read 700 files' }).waitFor();
    await page.locator('.state.ready').waitFor();
    const other = await opened(page);
    const group = other.getByRole('button', { name: /^Read \d+ files/ });
    await group.waitFor();
    const folded = await other.locator('.tool').count();
    await group.click();
    await other.locator('.transcript').evaluate((box) => void (box.scrollTop = box.scrollHeight));
    await other.getByText('call 699', { exact: true }).waitFor();
    const calls = Array.from({ length: 700 }, (_, place) => `call ${place} completed`);
    expect(((await other.evaluate(scrolledThrough)) as readonly string[]).slice(-702)).toEqual([
      'long ',
      ...calls,
      ' ',
    ]);
    const seen = {
      heading: await other.locator('.agent h2').count(),
      first: await other.locator('.user').first().innerText(),
    };
    expect({ ...seen, folded, errors: served.errors }).toEqual({
      heading: 1,
      first: 'markdown',
      folded: 0,
      errors: [],
    });
  },
);

test.skipIf(withoutBrowser)(
  `a window opened in the middle of a long turn shows the running call and follows it${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'hello');
    await send(page, 'long wait');
    await page.locator('.agent').getByText('waiting').waitFor();
    const other = await served.another(page);
    await other.locator('.state.working').waitFor();
    const prompt = await other.locator('.agent').getByText('waiting').count();
    const models = await other.getByRole('combobox', { name: 'Model' }).count();
    await other.getByRole('button', { name: 'Cancel the turn' }).click();
    await Promise.all([page, other].map((each) => each.getByText('The turn was cancelled.').waitFor()));
    await other.locator('.state.ready').waitFor();
    expect({ prompt, models, errors: served.errors }).toEqual({ prompt: 1, models: 1, errors: [] });
  },
);
