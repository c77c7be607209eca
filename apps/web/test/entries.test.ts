import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

/** Lets the agent show one thing, in a separate session. */
async function shown(prompt: string): Promise<Page> {
  const page = await served.open();
  await begin(page, prompt);
  await page.locator('.user').getByText(prompt).waitFor();
  await page.locator('.state.ready').waitFor();
  return page;
}

test.skipIf(withoutBrowser)(`Markdown is drawn, and HTML in it stays text${unless}`, async () => {
  const page = await shown('markdown');
  await page.locator('.hljs-keyword').waitFor();
  const message = page.locator('.agent');
  const link = message.getByRole('link');
  expect({
    heading: await message.getByRole('heading').textContent(),
    cells: await message.getByRole('cell').allTextContents(),
    code: await message.locator('pre').textContent(),
    links: await link.allTextContents(),
    rel: await link.first().getAttribute('rel'),
    html: await message.getByText('<img src=x').count(),
    pictures: await message.locator('img').count(),
    harmed: await page.evaluate('globalThis.harmed'),
    errors: served.errors,
  }).toEqual({
    heading: 'A heading',
    cells: ['1', '2'],
    code: 'const answer = 42;',
    links: ['link', 'Picture “chart” at pictures.example'],
    rel: 'noopener noreferrer nofollow ugc',
    html: 1,
    pictures: 0,
    harmed: undefined,
    errors: [],
  });
});

test.skipIf(withoutBrowser)(`a diff marks changed words and folds unchanged lines${unless}`, async () => {
  const page = await shown('diff');
  const diff = page.locator('.diff');
  await diff.locator('tr.added').waitFor();
  const unified = {
    marked: await diff.locator('mark').allTextContents(),
    rows: await diff.locator('tr').count(),
    folded: await diff.getByRole('button', { name: /unchanged/ }).allTextContents(),
    numbers: await diff.locator('tr.added .number').allTextContents(),
  };
  await diff.getByRole('button', { name: 'Side by side' }).click();
  const columns = await diff.locator('tr').nth(1).locator('td').count();
  await diff
    .getByRole('button', { name: /unchanged/ })
    .first()
    .click();
  await expect.poll(() => diff.locator('tr').count()).toBe(40);
  expect({ unified, columns }).toEqual({
    unified: {
      marked: ['20', 'twenty'],
      rows: 10,
      folded: ['Show 16 unchanged lines', 'Show 17 unchanged lines'],
      numbers: ['', '20'],
    },
    columns: 4,
  });
});

test.skipIf(withoutBrowser)(
  `a diff keeps its columns and unfolded lines while it is off the screen, and the next one has two columns too${unless}`,
  async () => {
    const page = await shown('diff');
    const diff = page.locator('.diff').first();
    await diff.getByRole('button', { name: 'Side by side' }).click();
    const folded = diff.getByRole('button', { name: /unchanged/ });
    await folded.first().click();
    await send(page, 'long');
    const group = page.getByRole('button', { name: 'Read 700 files' });
    await group.click();
    await page.locator('.transcript').evaluate((box) => void (box.scrollTop = box.scrollHeight));
    await page.getByText('call 699', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.diff').count()).toBe(0);
    await page.locator('.state.ready').waitFor();
    const toBeginning = (box: unknown): number => ((box as { scrollTop: number }).scrollTop = 0);
    // Rows drawn in the meantime differ from their estimated heights and move the position.
    await expect
      .poll(async () => {
        await page.locator('.transcript').evaluate(toBeginning);
        return { split: await diff.locator('table.split').count(), rows: await diff.locator('tr').count() };
      })
      .toEqual({ split: 1, rows: 40 });
    await page.reload();
    await page.locator('.state.ready').waitFor();
    await send(page, 'diff');
    await page.locator('.diff').waitFor();
    expect(await page.locator('.diff table.split').count()).toBe(1);
  },
);

test.skipIf(withoutBrowser)(
  `the output of a command is drawn in colour, without lines that were overwritten${unless}`,
  async () => {
    const page = await shown('command');
    await page.locator('.tool summary').click();
    const output = page.getByRole('region', { name: 'Output' });
    expect({
      text: await output.textContent(),
      red: await output.locator('.fg-ansi-red').textContent(),
      title: await page.locator('.tool-title').textContent(),
    }).toEqual({ text: 'red\n100 %\nend', red: 'red', title: 'make' });
  },
);

test.skipIf(withoutBrowser)(`thoughts, plans, pictures, usage and unknown updates are shown${unless}`, async () => {
  const page = await shown('thought');
  for (const prompt of ['plan', 'picture', 'usage', 'unknown']) await send(page, prompt);
  await page.locator('.user').getByText('unknown').waitFor();
  await page.locator('.state.ready').waitFor();
  await page.locator('.thought summary').click();
  await expect.poll(() => page.locator('.picture').evaluate(widthOf)).toBe(1);
  expect({
    thought: await page.locator('.thought strong').textContent(),
    usage: await page.locator('.top > .usage').textContent(),
    unknown: await page.locator('.fold summary').textContent(),
    errors: served.errors,
  }).toEqual({
    thought: 'see',
    usage: expect.stringMatching(/12K \/ 100K€0.50/),
    unknown: 'An update of an unknown kind: _weather.',
    errors: [],
  });
});

test.skipIf(withoutBrowser)(`the plan of the running turn is above the editor${unless}`, async () => {
  const page = await shown('plan');
  const plan = page.locator('.plan');
  const folded = await plan.locator('.plan-next').textContent();
  await plan.locator('summary').click();
  expect({
    folded,
    progress: await plan.getByText('Plan 1/3').count(),
    steps: await plan.locator('.step').allTextContents(),
  }).toEqual({ folded: 'Change', progress: 1, steps: ['Look', 'Change', 'Testhigh'] });
});

test.skipIf(withoutBrowser)(`a sentence describes each way a turn can end${unless}`, async () => {
  const page = await shown('refusal');
  for (const prompt of ['max_tokens', 'max_turn_requests', 'error', 'wait']) await send(page, prompt);
  await page.locator('.agent').getByText('waiting').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('The turn was cancelled.').waitFor();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  expect(await page.locator('.notice').allInnerTexts()).toEqual([
    'The agent refused to continue; the prompt and everything after it will not be part of the conversation: ask differently.',
    'The agent stopped: its model reached the limit of tokens; ask it to continue.',
    'The agent stopped: it reached its limit of model calls in one turn; ask it to continue.',
    'The turn failed: The model is asleep: wake it up.',
    'The turn was cancelled.\nContinue',
  ]);
});

function widthOf(picture: unknown): number {
  return (picture as { readonly naturalWidth: number }).naturalWidth;
}

test.skipIf(withoutBrowser)(`a sound can be played${unless}`, async () => {
  const page = await shown('sound');
  const sound = page.locator('.agent audio');
  const length = (): Promise<number> =>
    sound.evaluate((element) => (element as unknown as { duration: number }).duration);
  await expect.poll(length).toBeCloseTo(0.01);
  expect({ label: await sound.getAttribute('aria-label'), errors: served.errors }).toEqual({
    label: 'A sound',
    errors: [],
  });
});

test.skipIf(withoutBrowser)(
  `each paragraph has the direction of its own words, in the editor and in messages${unless}`,
  async () => {
    const page = await shown('arabic');
    const directions = (where: string): Promise<readonly string[]> =>
      page.locator(where).evaluateAll((elements) => {
        const { getComputedStyle: styleOf } = globalThis as unknown as {
          readonly getComputedStyle: (element: unknown) => { readonly direction: string };
        };
        return elements.map((element) => styleOf(element).direction);
      });
    const said = await directions('.agent .markdown :is(h1, h2, h3, h4, p, li)');
    await editor(page).fill('مرحبا');
    const typed = await directions('textarea');
    await send(page, 'مرحبا');
    await page.locator('.user').nth(1).waitFor();
    await page.locator('.state.ready').waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect({ said, typed, prompts: await directions('.user .plain'), overflow }).toEqual({
      said: ['rtl', 'rtl', 'rtl', 'ltr'],
      typed: ['rtl'],
      prompts: ['ltr', 'rtl'],
      overflow: 0,
    });
  },
);

test.skipIf(withoutBrowser)(`a terminal shows the output of its running command, in colour${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'terminal');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.locator('.tool summary').click();
  const output = page.locator('.output');
  await output.getByText('one').waitFor();
  const running = {
    colour: await output.locator('span').first().getAttribute('class'),
    state: await page.locator('.tool-state').getAttribute('aria-label'),
  };
  await writeFile(join(served.folder, 'go'), '');
  await output.getByText('two').waitFor();
  await page.locator('.state.ready').waitFor();
  expect({
    running,
    state: await page.locator('.tool-state').getAttribute('aria-label'),
    errors: served.errors,
  }).toEqual({
    running: { colour: 'fg-ansi-green', state: 'in progress' },
    state: 'completed',
    errors: [],
  });
});

test.skipIf(withoutBrowser)(
  `resources have names, and a tool call shows its locations and its time${unless}`,
  async () => {
    const page = await shown('resources');
    const message = page.locator('.agent');
    await message.locator('summary').click();
    await page.locator('.tool summary').click();
    expect({
      link: await message.locator('.chip').textContent(),
      resource: await message.locator('.fold').innerText(),
      places: await page.locator('.locations li').allTextContents(),
      time: await page.locator('.duration').textContent(),
      errors: served.errors,
    }).toEqual({
      link: 'Notes',
      resource: 'file:///project/a.txt\nwhat it holds',
      places: ['/project/src/a.ts:7'],
      time: expect.stringMatching(/^\d+\.\d s$/),
      errors: [],
    });
  },
);
