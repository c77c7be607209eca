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
