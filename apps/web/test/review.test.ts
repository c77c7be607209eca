import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findings } from './axe-findings.ts';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';
import { agentOf } from './showing-agent.ts';

const served = servedPage(agentOf(new URL('fixtures/writing-agent.ts', import.meta.url)));
const lines = (...changed: readonly (readonly [number, string])[]): string =>
  Array.from({ length: 30 }, (_, at) => `${new Map(changed).get(at + 1) ?? `line ${at + 1} is here`}\n`).join('');

beforeAll(async () => {
  if (withoutBrowser) return;
  execFileSync('git', ['init', '--quiet'], { cwd: served.folder });
  await writeFile(join(served.folder, '.gitignore'), 'state/\n');
  await writeFile(join(served.folder, 'long.txt'), lines());
});

const review = (page: Page): Locator => page.getByRole('complementary', { name: 'Review' });
const opener = (page: Page): Locator => page.getByRole('button', { name: /^Review/ });
const text = (): Promise<string> => readFile(join(served.folder, 'long.txt'), 'utf8');

test.skipIf(withoutBrowser)(
  `hunks are accepted and rejected, comments reach the agent, a turn is undone, and Back and Escape close the review${unless}`,
  async () => {
    const page = await served.open();
    await begin(
      page,
      'long.txt: /line 2 is here/line two is here/\nlong.txt: /line 29 is here/evil\u202eline/\nnew.txt: //new/',
    );
    await opener(page).getByText('2', { exact: true }).waitFor();
    await opener(page).click();
    const panel = review(page);
    await panel.getByRole('button', { name: 'long.txt', exact: true }).click();
    const changes = panel.getByRole('region', { name: 'Changes of long.txt' });
    await changes.waitFor();
    const shown = {
      names: await panel.locator('figcaption .path').allInnerTexts(),
      marked: await changes.locator('mark').allInnerTexts(),
      folded: await changes.locator('.folded').allInnerTexts(),
      axe: await findings(page),
    };
    await changes.getByRole('button', { name: 'Comment on line 2', exact: true }).click();
    await changes.getByRole('textbox').fill('say 2nd');
    await panel.getByRole('button', { name: 'Add comment' }).click();
    await panel.locator('.comment').waitFor();
    await panel.getByRole('button', { name: 'Reject the change at line 26' }).click();
    await panel.getByText('2 comments for the agent').waitFor();
    await panel.getByRole('button', { name: 'Accept new.txt' }).click();
    await panel.getByRole('button', { name: 'new.txt', exact: true }).waitFor({ state: 'detached' });
    const rejected = await text();
    await panel.getByRole('button', { name: 'Send comments to the agent' }).click();
    await page.locator('.agent').getByText('You said: I have reviewed your changes.').waitFor();
    const said = await page.locator('.agent').last().innerText();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await opener(page).click();
    await panel.waitFor();
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    await opener(page).click();
    await panel.getByText('One turn that changed files').click();
    await panel.getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.getByRole('button', { name: 'Undo this turn?' }).click();
    await panel.getByText('undone', { exact: true }).waitFor();
    expect({
      shown,
      rejected,
      said: ['long.txt:2', 'say 2nd', 'I have rejected these changes'].filter((part) => said.includes(part)),
      undone: [await panel.getByRole('alert').innerText(), existsSync(join(served.folder, 'new.txt'))],
      errors: served.errors,
    }).toEqual({
      shown: {
        names: ['long.txt', 'new.txt'],
        marked: ['2', 'two', ' 29 is here', 'evilU+202E', 'U+202E'],
        folded: ['Show 20 unchanged lines'],
        axe: [],
      },
      rejected: lines([2, 'line two is here']),
      said: ['long.txt:2', 'say 2nd', 'I have rejected these changes'],
      // Its second change was rejected before.
      undone: [expect.stringMatching(/^long\.txt is left as it is: /), false],
      errors: [],
    });
  },
);
