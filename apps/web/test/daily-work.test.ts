import { expect, test } from 'vitest';
import { begin, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { agentOf } from './showing-agent.ts';

const served = servedPage(agentOf(new URL('fixtures/daily-agent.ts', import.meta.url)));

test.skipIf(withoutBrowser)(
  `calls that need no attention are one line, which unfolds with a key, and failed calls and changes have their own${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'fix the retries');
    await page.locator('.state.ready').waitFor();
    const lines = async (): Promise<readonly string[]> =>
      (await page.locator('.row :is(.call-group, .tool > summary)').allInnerTexts()).map((text) =>
        text.replaceAll(/\s*\n\s*/g, ' · '),
      );
    await page.locator('.diff-size').waitFor();
    const folded = await lines();
    await page.locator('.call-group').last().press('Enter');
    const unfolded = (await lines()).slice(-3);
    await page.locator('.call-group').last().press('Enter');
    await page.locator('.hljs-keyword').first().waitFor();
    expect({
      folded,
      unfolded,
      again: await lines(),
      path: await page.locator('.diff .path').count(),
      changed: await page.locator('.diff tr.removed .code').allTextContents(),
      errors: served.errors,
    }).toEqual({
      folded: [
        'Thought · The user reports failures on slow networks. The settings are the first place to look at.',
        'Read 4 files, searched, ran 1 command · 1 unasked',
        'src/settings.ts · +3 · −1 · unasked',
        'npm test · exit 1',
        'Read 1 file, ran 1 command · 1 unasked',
      ],
      unfolded: [
        'Read 1 file, ran 1 command · 1 unasked',
        'Read test/settings.test.ts',
        'npm test -- settings · unasked',
      ],
      again: folded,
      path: 0,
      changed: ['  return { port: 80, retries: 3, ...JSON.parse(text) };'],
      errors: [],
    });
  },
);

test.skipIf(withoutBrowser)(`a failed turn is tried again, and one that was cut is continued${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'fail');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.locator('.notice.error').count()).toBe(2);
  await send(page, 'cut it');
  await page.locator('.notice.info').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('.agent').getByText('Continue.').waitFor();
  await page.locator('.state.ready').waitFor();
  expect({
    prompts: await page.locator('.user .bubble').allInnerTexts(),
    buttons: await page.locator('.next-steps button').count(),
    errors: served.errors,
  }).toEqual({ prompts: ['fail', 'fail', 'cut it', 'Continue.'], buttons: 0, errors: [] });
});

test.skipIf(withoutBrowser)(
  `a search leads to a call in a folded group, which unfolds, wherever the call is in the group${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'many calls');
    await page.locator('.state.ready').waitFor();
    await page.locator('.call-group').waitFor();
    const groups = await page.locator('.call-group').allInnerTexts();
    const found: unknown[] = [];
    for (const name of ['walrus-70.ts', 'iguana.ts']) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(name);
      const option = page.getByRole('option').filter({ hasText: 'Call ·' }).filter({ hasText: name });
      await option.first().click();
      const line = page.locator('.row.found .tool > summary').filter({ hasText: name });
      await line.waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const isOnScreen = await line.evaluate((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      found.push([name, isOnScreen]);
      await page.locator('.transcript').evaluate((box) => box.scrollTo(0, 0));
      if (name === 'walrus-70.ts') await page.locator('.call-group').click();
    }
    expect({ groups, found, errors: served.errors }).toEqual({
      groups: [expect.stringContaining('Read 80 files')],
      found: [
        ['walrus-70.ts', true],
        ['iguana.ts', true],
      ],
      errors: [],
    });
  },
);

test.skipIf(withoutBrowser)(
  `the change of a line of 262,144 characters is shown, and the page stays usable${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'long line');
    await page.locator('.state.ready').waitFor();
    await page.locator('.diff tr.added').waitFor();
    const [length] = await page
      .locator('.diff tr.added .code')
      .evaluateAll((cells) => cells.map((cell) => cell.textContent?.length));
    await send(page, 'still here');
    await page.locator('.agent').getByText('still here').waitFor();
    expect({ length, errors: served.errors }).toEqual({ length: 262_145, errors: [] });
  },
);
