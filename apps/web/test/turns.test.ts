import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findings } from './axe-findings.ts';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';

const served = servedPage();

test.skipIf(withoutBrowser)(
  `a page exchanges a ticket for its own token, without a cookie that other ports would receive${unless}`,
  async () => {
    const page = await served.open();
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    const cookies = await page.context().cookies();
    const seen = await page.evaluate(() => {
      const { document, localStorage, sessionStorage } = globalThis as unknown as {
        readonly document: { readonly cookie: string };
        readonly localStorage: object;
        readonly sessionStorage: object;
      };
      return { scripts: document.cookie, stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage)] };
    });
    expect({ url: page.url(), ...seen, cookies }).toEqual({
      url: `${served.server.url}/`,
      scripts: '',
      stored: ['turnwire.login'],
      cookies: [],
    });
  },
);

test.skipIf(withoutBrowser)(
  `a turn streams, asks with the exact change, and continues after approval${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'replace "alpha" with "omega" in notes.txt');
    const question = page.getByRole('region', { name: 'The agent asks' });
    await question.getByRole('button', { name: 'Allow once' }).waitFor();
    await question.locator('tr.added').waitFor();
    const asked = {
      heading: await question.getByRole('heading').textContent(),
      removed: await question.locator('tr.removed .code').allTextContents(),
      added: await question.locator('tr.added .code').allTextContents(),
      answers: await question.locator('.answers button').allTextContents(),
      state: await page.locator('.state').textContent(),
      // Only the question shows the change.
      diffs: await page.locator('.rows .diff').count(),
    };
    await question.getByRole('button', { name: 'Allow once' }).click();
    await page.locator('.agent').getByText('Edited').waitFor();
    await page.locator('.state.ready').waitFor();
    await page.locator('.rows .diff').waitFor();
    expect({ asked, errors: served.errors, file: await readFile(join(served.folder, 'notes.txt'), 'utf8') }).toEqual({
      asked: {
        heading: 'Change a file',
        removed: ['alpha'],
        added: ['omega'],
        answers: [
          'n Reject once',
          'y Allow once',
          ' Allow always in this session: Edit(./notes.txt)',
          ' Allow always in this project: Edit(./notes.txt)',
        ],
        state: 'Waits for you',
        diffs: 0,
      },
      errors: [],
      file: 'omega\nbeta\nTODO gamma\n',
    });
  },
);

test.skipIf(withoutBrowser)(
  `Stop cancels the turn and puts the queued prompt back in front of the typed text${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'run sleep 60');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.locator('.state.working').waitFor();
    await send(page, 'list files');
    await page.getByRole('list', { name: 'Queued prompts' }).getByText('list files').waitFor();
    await editor(page).fill('and more');
    await page.getByRole('button', { name: 'Cancel the turn' }).click();
    await page.getByText('The turn was cancelled.').waitFor();
    await page.locator('.state.ready').waitFor();
    expect({
      errors: served.errors,
      tools: await page.locator('.tool-state').evaluateAll(labels),
      editor: await editor(page).inputValue(),
      prompts: await page.locator('.user').count(),
    }).toEqual({ errors: [], tools: ['cancelled'], editor: 'list files\nand more', prompts: 1 });
  },
);

test.skipIf(withoutBrowser)(`a queued prompt can be sent into the running turn${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'run echo one');
  const allow = page.getByRole('button', { name: 'Allow once' });
  await allow.waitFor();
  await send(page, 'list files');
  const waiting = page.getByRole('list', { name: 'Queued prompts' });
  await waiting.getByRole('button', { name: 'Take back' }).waitFor();
  const buttons = await waiting.getByRole('button').allInnerTexts();
  await waiting.getByRole('button', { name: 'Send into the turn' }).click();
  await waiting.getByText('at its next step…').waitFor();
  await allow.click();
  await page.locator('.agent').getByText('notes.txt').waitFor();
  await page.locator('.state.ready').waitFor();
  expect({
    buttons,
    waiting: await waiting.count(),
    // The answers to a prompt are below it.
    order: await page.locator('.user, .agent').evaluateAll((rows) => rows.map(({ className }) => className)),
    prompts: await page.locator('.user').allInnerTexts(),
    // One turn did both.
    sentences: await page.getByText('The turn was cancelled.').count(),
    errors: served.errors,
  }).toEqual({
    buttons: ['Send into the turn', 'Take back'],
    waiting: 0,
    order: ['user', 'user', 'agent'],
    prompts: ['run echo one', 'list files'],
    sentences: 0,
    errors: [],
  });
});

test.skipIf(withoutBrowser)(`a command undoes what the agent did${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'replace "beta" with "delta" in notes.txt');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.locator('.agent').getByText('Edited').waitFor();
  const notes = join(served.folder, 'notes.txt');
  const changed = await readFile(notes, 'utf8');
  await page.locator('.state.ready').waitFor();
  await editor(page).pressSequentially('/und');
  await page.getByRole('option', { name: '/undo' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await expect.poll(() => readFile(notes, 'utf8')).toContain('beta');
  await page.locator('.state.ready').waitFor();
  expect({ changed: changed.includes('delta'), errors: served.errors }).toEqual({ changed: true, errors: [] });
});

test.skipIf(withoutBrowser)(
  `a session is forked, whole or before one of its prompts, whose files are restored${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'say one');
    await page.locator('.state.ready').waitFor();
    await send(page, 'replace "gamma" with "zeta" in notes.txt');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.locator('.agent').getByText('Edited').waitFor();
    await page.locator('.state.ready').waitFor();
    const notes = join(served.folder, 'notes.txt');
    const changed = (await readFile(notes, 'utf8')).includes('zeta');
    const source = page.url();
    await page.getByRole('button', { name: 'Go back to before this prompt' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Go back to before this prompt' });
    await dialog.waitFor();
    const found = await findings(page);
    await dialog.getByRole('button', { name: 'Go back and restore the files' }).click();
    await page.getByText('The files of the turns that were left out').waitFor();
    const back = {
      prompts: await page.locator('.user').allInnerTexts(),
      draft: await editor(page).inputValue(),
      isRestored: (await readFile(notes, 'utf8')).includes('gamma'),
      isAnother: page.url() !== source,
    };
    await page.getByRole('button', { name: /^Rename/ }).click();
    await page.getByRole('button', { name: 'Fork the session' }).click();
    const forked = page.url();
    await expect.poll(() => page.url()).not.toBe(forked);
    await page.locator('.state.ready').waitFor();
    await editor(page).waitFor();
    expect({
      changed,
      found,
      back,
      fork: { prompts: await page.locator('.user').allInnerTexts(), draft: await editor(page).inputValue() },
      errors: served.errors,
    }).toEqual({
      changed: true,
      found: [],
      back: {
        prompts: ['say one'],
        draft: 'replace "gamma" with "zeta" in notes.txt',
        isRestored: true,
        isAnother: true,
      },
      fork: { prompts: ['say one'], draft: '' },
      errors: [],
    });
  },
);

function labels(elements: readonly { readonly ariaLabel?: string | null }[]): readonly unknown[] {
  return elements.map(({ ariaLabel }) => ariaLabel);
}
