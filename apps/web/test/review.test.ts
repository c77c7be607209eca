import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findings } from './axe-findings.ts';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';
import { agentOf } from './showing-agent.ts';

const served = servedPage(agentOf(new URL('fixtures/writing-agent.ts', import.meta.url)));
const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: served.folder, encoding: 'utf8' }).trim();
const lines = (...changed: readonly (readonly [number, string])[]): string =>
  Array.from({ length: 30 }, (_, at) => `${new Map(changed).get(at + 1) ?? `line ${at + 1} is here`}\n`).join('');

beforeAll(async () => {
  if (withoutBrowser) return;
  git('init', '--quiet');
  git('config', 'user.name', 'A Tester');
  git('config', 'user.email', 'tester@example.com');
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

test.skipIf(withoutBrowser)(
  `a phone shows one column even if the user prefers two, and a commit that fails keeps its message${unless}`,
  async () => {
    const page = await served.open({ viewport: { width: 390, height: 844 } });
    // A reload before the end of the login would lose its ticket, which is valid once.
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    await page.evaluate(`localStorage.setItem('turnwire.preferences', '{"isSplit":true}')`);
    await page.reload();
    await begin(page, 'kept.ts: //const kept = true;/');
    await opener(page).getByText(/\d/).waitFor();
    await opener(page).click();
    const panel = review(page);
    await panel.getByRole('button', { name: 'kept.ts', exact: true }).click();
    await panel.getByRole('region', { name: 'Changes of kept.ts' }).waitFor();
    const tables = await panel.locator('table').evaluateAll((all) => all.map(({ className }) => className));
    await panel.getByRole('button', { name: 'Accept kept.ts', exact: true }).click();
    const message = panel.getByRole('textbox', { name: 'Message of the commit' });
    await message.fill('A message of the user');
    const locks = ['index.lock', 'HEAD.lock', `${git('symbolic-ref', 'HEAD')}.lock`];
    for (const lock of locks) await writeFile(join(served.folder, '.git', lock), '');
    await panel.getByRole('button', { name: /^Commit / }).click();
    await panel.getByRole('alert').waitFor();
    const kept = await message.inputValue();
    for (const lock of locks) await rm(join(served.folder, '.git', lock));
    await panel.getByRole('button', { name: /^Commit / }).click();
    await panel.getByRole('status').getByText('Committed').waitFor();
    expect({ tables, kept, commit: git('log', '-1', '--format=%s'), errors: served.errors }).toEqual({
      tables: ['unified'],
      kept: 'A message of the user',
      commit: 'A message of the user',
      errors: [],
    });
  },
);
