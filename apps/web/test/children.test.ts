import { expect, test } from 'vitest';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';
import { agentOf } from './showing-agent.ts';

const served = servedPage(agentOf(new URL('fixtures/hiring-agent.ts', import.meta.url)));

test.skipIf(withoutBrowser)(
  `subagents are a tree, a question names its own, a rejection says why, and one is cancelled${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'go');
    const tree = page.locator('.children');
    const question = page.getByRole('region', { name: 'The agent asks' });
    await question.getByRole('button', { name: 'Reject and say why…' }).waitFor();
    await tree.getByText('Fix the reducer', { exact: true }).waitFor();
    const shown = (await tree.locator('li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    const asked = await question.locator('.asked-by').innerText();
    await question.getByRole('button', { name: 'Reject and say why…' }).click();
    await question.getByLabel('Why you reject it, for the agent').fill('Run only the unit tests.');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await tree.getByRole('button', { name: 'Cancel Write the tests' }).click();
    await page.locator('.agent').getByText('was rejected: Run only the unit tests.').waitFor();
    expect({ shown, asked, trees: await tree.count(), errors: served.errors }).toEqual({
      shown: [
        'Write the tests explore running 12.3K tokens 0.0213 USD Cancel Search the folder src/transcript for all uses of the reducer',
        'Fix the reducer claude waiting for you Cancel Run npm test',
      ],
      asked: 'Asked by the subagent claude, working on Fix the reducer',
      trees: 0,
      errors: [],
    });
  },
);
