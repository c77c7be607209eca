import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findings } from './axe-findings.ts';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

async function openPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to' }).waitFor();
  await page.keyboard.type(text);
}

test.skipIf(withoutBrowser)(
  `Ctrl K finds a text in the unloaded beginning of a session, and Enter scrolls to it${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'the walrus <b>prompt</b>');
    await send(page, 'long');
    await page.getByRole('button', { name: 'Read 700 files' }).waitFor();
    await page.locator('.state.ready').waitFor();
    const other = await served.another(page);
    await other.locator('.state.ready').waitFor();
    await other.getByRole('button', { name: 'New', exact: true }).click();
    await openPalette(other, 'PROMPT walr');
    const text = other.getByRole('option').filter({ has: other.locator('mark') });
    await text.filter({ hasText: 'Prompt ·' }).waitFor();
    const marked = await text.filter({ hasText: 'Prompt ·' }).locator('mark').allInnerTexts();
    const problems = await findings(other);
    // The list has the session first, then its texts.
    while (!/Prompt ·/.test(await other.locator('[aria-selected="true"]').innerText()))
      await other.keyboard.press('ArrowDown');
    await other.keyboard.press('Enter');
    await other.locator('.row.found .user').waitFor();
    expect({
      marked,
      problems,
      found: await other.locator('.row.found').innerText(),
      isOnScreen: await other.locator('.row.found').evaluate((row) => row.getBoundingClientRect().bottom > 0),
      errors: served.errors,
    }).toEqual({
      marked: ['walrus', 'prompt'],
      problems: [],
      found: expect.stringContaining('the walrus <b>prompt</b>'),
      isOnScreen: true,
      errors: [],
    });
  },
);

test.skipIf(withoutBrowser)(
  `Escape and Back close the palette, return the focus, and leave the session shown${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'stays shown');
    await page.locator('.state.ready').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    const seen: unknown[] = [];
    for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await editor(page).focus();
      await openPalette(page, 'stays');
      await close();
      await dialog.waitFor({ state: 'detached' });
      seen.push(await page.getByRole('heading', { level: 1 }).innerText());
      seen.push(await editor(page).evaluate((element) => element === document.activeElement));
    }
    expect(seen).toEqual(['stays shown', true, 'stays shown', true]);
  },
);

test.skipIf(withoutBrowser)(`the palette begins a session with an agent, and lists the keys${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'a first one');
  await openPalette(page, 'new session with show');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  const agent = await page.getByRole('combobox', { name: 'Agent', exact: true }).inputValue();
  await openPalette(page, 'keys');
  await page.getByRole('option', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  expect([agent, served.errors]).toEqual([expect.stringMatching(/^show/), []]);
});

test.skipIf(withoutBrowser)(
  `Back closes first the palette or the dialog that it opened, then the review, and leaves no entry behind${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'has a review');
    await page.locator('.state.ready').waitFor();
    const panel = page.getByRole('complementary', { name: 'Review' });
    const isDialog = (): Promise<unknown> => page.evaluate('history.state?.isDialog === true');
    await page.getByRole('button', { name: /^Review/ }).click();
    await panel.waitFor();
    await openPalette(page, 'keys');
    await expect.poll(isDialog).toBe(true);
    await page.goBack();
    await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' });
    const seen = [await panel.isVisible(), await isDialog()];
    await openPalette(page, 'keys');
    await page.getByRole('option', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
    seen.push(await panel.isVisible(), await isDialog());
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    expect([...seen, await page.locator('.user').isVisible(), served.errors]).toEqual([
      true,
      false,
      true,
      false,
      true,
      [],
    ]);
  },
);
