import { expect, test } from 'vitest';
import { CutLine } from '../../../packages/cluster/test/nodes/cut-line.ts';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

test.skipIf(withoutBrowser)(
  `two windows on one session show the same, and an answer in one counts for both${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'markdown');
    await page.locator('.state.ready').waitFor();
    const other = await served.another(page);
    await other.locator('.agent h2').waitFor();
    await send(other, 'hidden');
    const [here, there] = [page, other].map((each) => each.getByRole('region', { name: 'The agent asks' }));
    await Promise.all([here?.waitFor(), there?.waitFor()]);
    await here?.getByRole('button', { name: 'Allow once' }).click();
    await Promise.all([page, other].map((each) => each.locator('.agent').getByText('allowed').waitFor()));
    await expect.poll(() => there?.count()).toBe(0);
    const texts = (): Promise<readonly string[]> =>
      Promise.all([page, other].map((each) => each.locator('.rows').innerText()));
    await expect.poll(async () => new Set(await texts()).size).toBe(1);
    expect({ shown: (await texts())[0]?.includes('allowed'), errors: served.errors }).toEqual({
      shown: true,
      errors: [],
    });
  },
);

test.skipIf(withoutBrowser)(
  `a page whose connection breaks during a turn says so, reconnects, and misses nothing${unless}`,
  async () => {
    const between = await CutLine.to(Number(new URL(served.server.url).port));
    const page = await served.open({}, `http://127.0.0.1:${between.port}`);
    await begin(page, 'slow');
    await page.locator('.agent').getByText('word2', { exact: false }).waitFor();
    between.cut();
    const offline = page.getByRole('button', { name: /Offline/ });
    await offline.waitFor();
    await send(page, 'and then');
    const waiting = await page.getByRole('list', { name: 'Queued prompts' }).innerText();
    between.repair();
    await page.locator('.agent').getByText('and then').waitFor();
    await page.locator('.state.ready').waitFor();
    const words = Array.from({ length: 40 }, (_, place) => `word${place + 1}`).join(' ');
    expect({
      waiting: waiting.includes('and then'),
      messages: (await page.locator('.agent').allInnerTexts()).map((text) => text.trim()),
      prompts: await page.locator('.user').allInnerTexts(),
      boundaries: await page.locator('.boundary').count(),
    }).toEqual({
      waiting: true,
      messages: [words, 'code small: and then'],
      prompts: ['slow', 'and then'],
      boundaries: 0,
    });
  },
);

test.skipIf(withoutBrowser)(`a reloaded page shows its session as before${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'command');
  await page.locator('.state.ready').waitFor();
  const before = await page.locator('.rows').innerText();
  await page.reload();
  await page.locator('.tool').waitFor();
  await page.locator('.state.ready').waitFor();
  expect({ after: await page.locator('.rows').innerText(), hash: new URL(page.url()).hash }).toEqual({
    after: before,
    hash: expect.stringMatching(/^#[^/]+\/[\w-]+$/),
  });
  await editor(page).waitFor();
});

test.skipIf(withoutBrowser)(`sessions are found by their words, renamed, exported, and deleted${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'a session to find');
  await page.locator('.state.ready').waitFor();
  const list = page.getByRole('navigation', { name: 'Sessions' });
  await list.getByRole('searchbox').fill('to FIND');
  await expect
    .poll(() => list.locator('.listed').allInnerTexts())
    .toEqual([expect.stringMatching(/^a session to find/)]);
  const menu = page.getByRole('button', { name: 'Rename, fork, export or delete the session' });
  const saved = async (name: string): Promise<string> => {
    await menu.click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    const stream = await download.createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return `${download.suggestedFilename()}\n${Buffer.concat(chunks).toString()}`;
  };
  await menu.click();
  await page.getByLabel('Title').fill('Found');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('heading', { name: 'Found' }).waitFor();
  await list.getByRole('searchbox').fill('found');
  await list.getByRole('button', { name: /^Found/ }).waitFor();
  const markdown = await saved('Export as Markdown');
  const json = await saved('Export as JSON');
  await menu.click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('button', { name: 'Yes, delete it with all its messages' }).click();
  await expect.poll(() => list.locator('.listed').count()).toBe(0);
  expect({
    markdown,
    entries: (JSON.parse(json.slice(json.indexOf('\n'))) as { entries: { type: string }[] }).entries.map(
      ({ type }) => type,
    ),
  }).toEqual({
    markdown: `found.md\n# Found\n\n- agent: showing-agent\n- folder: ${served.folder}\n\n## Prompt\n\n> a session to find\n\ncode small: a session to find\n`,
    entries: ['user', 'agent', 'turn-end'],
  });
});

test.skipIf(withoutBrowser)(
  `prompts queue in the gateway: other windows can see and remove them, and they run after their window has closed${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'wait');
    await page.locator('.agent').getByText('waiting').waitFor();
    const other = await served.another(page);
    await other.locator('.state.working').waitFor();
    for (const text of ['first', 'second', 'third']) await send(other, text);
    const queue = page.getByRole('list', { name: 'Queued prompts' });
    await queue.getByText('third').waitFor();
    const shown = await queue.locator('li').allInnerTexts();
    await queue.locator('li').filter({ hasText: 'second' }).getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => editor(page).inputValue()).toBe('second');
    await other.getByText('second').waitFor({ state: 'detached' });
    await other.close();
    await page.getByRole('button', { name: 'Cancel the turn' }).click();
    await page.locator('.agent').getByText('code small: third').waitFor();
    await page.locator('.state.ready').waitFor();
    expect({
      shown: shown.map((text) => text.split('\n')),
      prompts: await page.locator('.user').allInnerTexts(),
    }).toEqual({
      shown: ['first', 'second', 'third'].map((text) => [text, 'Browser', 'Stop, and send', 'Take back']),
      prompts: ['wait', 'first', 'third'],
    });
  },
);

test.skipIf(withoutBrowser)(`a queued prompt can be run before all others, from any window${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'wait');
  await page.locator('.agent').getByText('waiting').waitFor();
  const other = await served.another(page);
  await other.locator('.state.working').waitFor();
  await send(page, 'first');
  await other.getByRole('list', { name: 'Queued prompts' }).getByText('first').waitFor();
  for (const text of ['second', 'third']) await send(other, text);
  const queue = page.getByRole('list', { name: 'Queued prompts' });
  await queue.locator('li').filter({ hasText: 'third' }).getByRole('button', { name: 'Stop, and send' }).click();
  await page.locator('.agent').getByText('code small: second').waitFor();
  await page.locator('.state.ready').waitFor();
  expect(await page.locator('.user').allInnerTexts()).toEqual(['wait', 'third', 'first', 'second']);
});

test.skipIf(withoutBrowser)(
  `a link lets others watch one session as it continues, and nothing else${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'another session');
    await page.locator('.state.ready').waitFor();
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await begin(page, 'to be watched');
    await page.locator('.state.ready').waitFor();
    await page.getByRole('button', { name: 'Rename, fork, export or delete the session' }).click();
    await page.getByRole('button', { name: 'Make a link to watch it' }).click();
    const link = await page.getByLabel('Who has this link can watch the session, for a day').inputValue();
    await page.keyboard.press('Escape');
    const guest = await served.visit(link);
    await guest.getByText('watching').waitFor();
    await guest.locator('.agent').getByText('code small: to be watched').waitFor();
    await send(page, 'hidden');
    await guest.locator('.user').getByText('hidden').waitFor();
    const sessions = guest.getByRole('navigation', { name: 'Sessions' }).locator('.listed');
    await guest.locator('.state').getByText('Waits for the owner').waitFor();
    await sessions.getByText('Asks the owner').waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await guest.locator('.agent').getByText('allowed').waitFor();
    await guest.locator('.state').getByText('Ready').waitFor();
    await expect.poll(() => sessions.allInnerTexts()).toEqual([expect.stringMatching(/^to be watched/)]);
    await guest.getByRole('button', { name: 'Rename, fork, export or delete the session' }).click();
    const buttons = await guest.getByRole('dialog', { name: 'Session' }).getByRole('button').allInnerTexts();
    expect({
      // A headless browser has no notifications.
      buttons: buttons.filter((name) => name !== 'Notify me when it needs me'),
      editors: await guest.getByRole('textbox', { name: 'Prompt' }).count(),
      questions: await guest.getByRole('region', { name: 'The agent asks' }).count(),
      address: new URL(guest.url()).hash,
    }).toEqual({
      buttons: ['Export as Markdown', 'Export as JSON', 'Close'],
      editors: 0,
      questions: 0,
      address: new URL(page.url()).hash,
    });
  },
);
