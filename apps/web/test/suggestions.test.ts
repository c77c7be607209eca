import { expect, test } from 'vitest';
import { suggestionsFor } from '../src/composer/suggestions.ts';
import { begin, editor, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

test('a file is found by its name, by its path, and by letters that start its words, in this order', () => {
  const files = ['a/form/x.ts', 'src/f_o_r_m.ts', 'reform.ts', 'src/formats.ts', 'form.ts', 'far/or/me.ts', 'inform'];
  const found = suggestionsFor('see @form', { commands: [], files });
  expect([found?.from, found?.list.map(({ text }) => text.trim())]).toEqual([
    4,
    ['@form.ts', '@src/formats.ts', '@inform', '@reform.ts', '@a/form/x.ts', '@src/f_o_r_m.ts', '@far/or/me.ts'],
  ]);
});

test('of thousands of matching files a hundred are listed with the total number; letters in another order find nothing', () => {
  const files = Array.from({ length: 5_000 }, (_, place) => `src/file-${place}.ts`);
  const [all, none] = ['@FILE', '@elif'].map((text) => suggestionsFor(text, { commands: [], files }));
  expect([all?.list.length, all?.count, none]).toEqual([100, 5_000, undefined]);
});

test('a command is found by letters in the middle of its name', () => {
  const commands = ['compact', 'git:commit', 'review'].map((name) => ({ name, description: '' }));
  const names = ['/', '/com', '/gcm', '/x'].map((text) =>
    suggestionsFor(text, { commands, files: [] })?.list.map(({ label }) => label),
  );
  expect(names).toEqual([
    ['/compact', '/git:commit', '/review'],
    ['/compact', '/git:commit'],
    ['/git:commit'],
    undefined,
  ]);
});

test.skipIf(withoutBrowser)(
  `all commands are listed with at most two lines each and a count, and the keys scroll the list${unless}`,
  async () => {
    const page = await served.open();
    await begin(page);
    await editor(page).waitFor();
    await editor(page).pressSequentially('/');
    await page.getByText('31 found').waitFor();
    const last = page.getByRole('option', { name: '/skill-30' });
    const heightInLines = `(({ height }, line) => Math.round(height / line))(
      document.querySelector('#suggestion-30 .faint').getBoundingClientRect(),
      parseFloat(getComputedStyle(document.querySelector('#suggestion-30 .faint')).lineHeight))`;
    const isInside = `(() => {
      const box = document.querySelector('#suggestions').getBoundingClientRect();
      const { top, bottom } = document.querySelector('#suggestion-30').getBoundingClientRect();
      return top >= box.top - 1 && bottom <= box.bottom + 1;
    })()`;
    const before = await page.evaluate(isInside);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.evaluate(isInside)).toBe(true);
    const lines = await page.evaluate(heightInLines);
    await last.click();
    expect({ before, lines, text: await editor(page).inputValue() }).toEqual({
      before: false,
      lines: 2,
      text: '/skill-30 ',
    });
  },
);

test.skipIf(withoutBrowser)(
  `the files of a folder are fetched once for several names, and again after a failure, which is shown${unless}`,
  async () => {
    const page = await served.open();
    let fetched = 0;
    page.on('request', (request) => (fetched += request.url().includes('/files?') ? 1 : 0));
    await begin(page);
    await editor(page).waitFor();
    await page.route('**/files?*', (route) => route.abort());
    await editor(page).pressSequentially('see @no');
    await page.getByText('The files of this folder cannot be listed: The server cannot be reached.').waitFor();
    await page.unroute('**/files?*');
    await editor(page).fill('');
    const shown = await page.getByText('cannot be listed').count();
    for (const text of ['see @not', '', 'and @not']) {
      await editor(page).fill(text);
      if (text !== '') await page.getByRole('option', { name: 'notes.txt' }).waitFor();
    }
    expect({ shown, fetched }).toEqual({ shown: 0, fetched: 2 });
  },
);
