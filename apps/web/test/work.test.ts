import { expect, test } from 'vitest';
import { agentOf } from './showing-agent.ts';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';

const served = servedPage(agentOf(new URL('fixtures/working-agent.ts', import.meta.url)));

test.skipIf(withoutBrowser)(
  `a child session unfolds to its transcript, and is cancelled by its button${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'work');
    const background = page.getByRole('region', { name: 'Work in the background' });
    const tree = page.locator('.children');
    await tree.getByText('Reviewer', { exact: true }).waitFor();
    const child = page.locator('.child');
    const folded = (await child.locator('summary').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ').trim();
    await child.locator('summary').first().click();
    await child.getByText('I read the tests first.').waitFor();
    const items = await background.locator('li').allInnerTexts();
    const node = (await tree.innerText()).replaceAll(/\s+/g, ' ');
    await tree.getByRole('button', { name: 'Cancel Reviewer' }).click();
    await tree.waitFor({ state: 'detached' });
    expect({
      folded,
      node,
      items: items.map((item) => item.replaceAll(/\s+/g, ' ')),
      after: await background.locator('li').allInnerTexts(),
      state: await child.locator('.badge').first().textContent(),
      message: await page.locator('.session-message').innerText(),
      plans: await page.locator('.plan').count(),
      errors: served.errors,
    }).toEqual({
      folded: 'Reviewer running Read a.test.ts',
      node: 'Subagents: 1 running Reviewer reviewer running 1.2K tokens 0.02 USD Cancel Read a.test.ts',
      items: ['npm run dev', 'Watch the files'],
      after: ['npm run dev', 'Watch the files'],
      state: 'cancelled',
      message: 'A message to Reviewer.\n\nLook at a.ts too',
      plans: 2,
      errors: [],
    });
  },
);
