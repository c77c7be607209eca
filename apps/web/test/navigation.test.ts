import { expect, test } from 'vitest';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

test.skipIf(withoutBrowser)(
  `typing into a newly opened page and pressing Enter sends the first prompt${unless}`,
  async () => {
    const page = await served.open();
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    await page.keyboard.type('typed at once');
    await page.keyboard.press('Enter');
    await page.locator('.agent').getByText('code small: typed at once').waitFor();
    expect(await page.locator('.user').allInnerTexts()).toEqual(['typed at once']);
  },
);

test.skipIf(withoutBrowser)(`a new session appears in the same frame in which it is created${unless}`, async () => {
  const page = await served.open();
  const begun = await page.getByRole('button', { name: 'Begin' }).evaluate(async (button) => {
    (button as HTMLElement).click();
    await Promise.resolve();
    return [button.isConnected, document.querySelectorAll('.composer textarea').length];
  });
  expect(begun).toEqual([false, 1]);
});

test.skipIf(withoutBrowser)(`Back leads to the session before, and then to the first screen${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'the first one');
  await page.locator('.state.ready').waitFor();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await begin(page, 'the second one');
  await page.locator('.state.ready').waitFor();
  const list = page.getByRole('navigation', { name: 'Sessions' });
  await list.getByRole('button', { name: /^the first one/ }).click();
  const shows = (title: string): Promise<void> => page.getByRole('heading', { level: 1, name: title }).waitFor();
  await shows('the first one');
  await page.goBack();
  await shows('the second one');
  await page.goBack();
  await shows('New session');
  await page.goForward();
  await shows('the second one');
  expect(served.errors).toEqual([]);
});

test.skipIf(withoutBrowser)(`on a touch screen Enter starts a new line, and the button sends${unless}`, async () => {
  const page = await served.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await begin(page);
  await editor(page).pressSequentially('one');
  await editor(page).press('Enter');
  await editor(page).pressSequentially('two');
  const typed = await editor(page).inputValue();
  await page.getByRole('button', { name: 'Send' }).tap();
  await page.locator('.user').waitFor();
  expect([typed, await page.locator('.user').innerText()]).toEqual(['one\ntwo', 'one\ntwo']);
});

test.skipIf(withoutBrowser)(
  `another window lists a session created elsewhere, and marks its question until it is answered${unless}`,
  async () => {
    const [page, other] = [await served.open(), await served.open()];
    await other.getByRole('button', { name: 'Begin' }).waitFor();
    await begin(page, 'hidden');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    const listed = other.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: /^hidden/ });
    await listed.getByText('Asks you').waitFor();
    await allow.click();
    await listed.getByText('Asks you').waitFor({ state: 'detached' });
    expect(await listed.count()).toBe(1);
  },
);

test.skipIf(withoutBrowser)(
  `the first screen offers what waits, the last sessions and their folders, and the list marks what has changed since it was seen${unless}`,
  async () => {
    const [page, other] = [await served.open(), await served.open()];
    await other.getByRole('button', { name: 'Begin' }).waitFor();
    const list = other.getByRole('navigation', { name: 'Sessions' });
    await list.locator('.listed').first().waitFor();
    await begin(page, 'hidden');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    const waiting = other.getByRole('main').getByRole('group', { name: 'Needs you' });
    await waiting.getByRole('button', { name: /^hidden/ }).waitFor();
    const inList = await list.getByRole('region', { name: 'Needs you' }).getByText('hidden').count();
    await page.getByRole('button', { name: 'Allow once' }).click();
    const news = list.getByRole('button', { name: /^hidden\s+\(new\)/ });
    await news.first().waitFor();
    const before = await news.count();
    await other.getByRole('main').getByRole('group', { name: 'Today' }).getByText('hidden').first().waitFor();
    await news.first().click();
    const agent = await other.locator('.place').innerText();
    await other.getByRole('button', { name: 'New', exact: true }).click();
    await expect.poll(() => news.count()).toBeLessThan(before);
    expect([inList, agent]).toEqual([1, expect.stringMatching(/ · \S+$/)]);
  },
);

test.skipIf(withoutBrowser)(`a file dropped on the transcript is attached${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'markdown');
  await page.locator('.state.ready').waitFor();
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['alpha'], 'dropped.txt', { type: 'text/plain' }));
    return transfer;
  })()`);
  await page.dispatchEvent('.transcript', 'dragover', { dataTransfer: transfer });
  await page.getByText('Drop the files to attach them').waitFor();
  await page.dispatchEvent('.transcript', 'drop', { dataTransfer: transfer });
  await page.getByRole('list', { name: 'Attached' }).getByText('dropped.txt').waitFor();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.goBack();
  await send(page, 'with a file');
  await page.locator('.user').getByText('dropped.txt').waitFor();
  expect({ attached: await page.getByRole('list', { name: 'Attached' }).count(), errors: served.errors }).toEqual({
    attached: 0,
    errors: [],
  });
});

test.skipIf(withoutBrowser)(`an unknown session id offers a new session and takes no prompt${unless}`, async () => {
  const page = await served.open();
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  const agent = await page.getByRole('combobox', { name: 'Agent', exact: true }).inputValue();
  await page.goto(`${served.server.url}/#${agent}/4f5ab0c6-0000-4000-8000-000000000000`);
  const failure = page.getByText('The session could not be opened');
  await failure.waitFor();
  const seen = { editors: await editor(page).count(), hasData: (await failure.innerText()).includes('{') };
  await page.getByRole('button', { name: 'New session, with another agent or folder' }).click();
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  expect(seen).toEqual({ editors: 0, hasData: false });
});

const focused = 'document.activeElement.type ?? document.activeElement.className';

test.skipIf(withoutBrowser)(
  `letter keys stay turned off after a reload, and Ctrl K still opens a session${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'found by Ctrl K');
    await page.locator('.state.ready').waitFor();
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await begin(page, 'another one');
    await page.locator('.state.ready').waitFor();
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByLabel('Use the keys that are a single character').click();
    await page.getByRole('button', { name: 'Close' }).click();
    const pressed: unknown[] = [];
    for (const again of [false, true]) {
      if (again) await page.reload();
      await page.locator('.transcript').focus();
      for (const key of ['s', 'e', 'n', '?']) await page.keyboard.press(key);
      pressed.push(await page.evaluate(focused), await page.getByRole('dialog', { name: 'Keys' }).isVisible());
    }
    await editor(page).focus();
    await page.keyboard.press('Control+k');
    pressed.push(await page.evaluate(focused));
    await page.keyboard.type('ctrl k');
    // The list appears a moment after the page.
    await page
      .getByRole('option', { name: /found by Ctrl K/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'found by Ctrl K' }).waitFor();
    expect(pressed).toEqual(['transcript', false, 'transcript', false, 'text']);
  },
);

test.skipIf(withoutBrowser)(`in a narrow window the key s opens the session list and its search${unless}`, async () => {
  const page = await served.open({ viewport: { width: 600, height: 800 } });
  await begin(page, 'a narrow one');
  await page.locator('.state.ready').waitFor();
  await page.locator('.transcript').focus();
  await page.keyboard.press('s');
  await page.locator('.sidebar.open').waitFor();
  const searching = await page.evaluate(focused);
  await page.keyboard.press('Escape');
  await page.locator('.shade').waitFor({ state: 'detached' });
  expect([searching, await page.evaluate(focused)]).toEqual(['search', 'transcript']);
});
