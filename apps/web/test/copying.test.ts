import { expect, test } from 'vitest';
import { begin, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

test.skipIf(withoutBrowser)(
  `prompts, messages, code, commands, outputs, changes and links are copied unchanged${unless}`,
  async () => {
    const page = await served.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (label: string): Promise<unknown> => {
      await page.getByRole('button', { name: label, exact: true }).last().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const text = await page.evaluate('navigator.clipboard.readText()');
      await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' });
      return text;
    };
    await begin(page, 'markdown');
    await page.locator('.state.ready').waitFor();
    const [code, prompt] = [await copied('Copy the code'), await copied('Copy the prompt')];
    await send(page, 'say **it** as it is');
    await page.locator('.agent').getByText('as it is').waitFor();
    await page.locator('.state.ready').waitFor();
    const message = await copied('Copy the message');
    await send(page, 'command');
    await page.locator('.tool summary').click();
    const [command, output] = [await copied('Copy the command'), await copied('Copy the output')];
    await send(page, 'diff');
    const change = await copied('Copy the change');
    await page.locator('.state.ready').waitFor();
    await page.getByRole('button', { name: /^Rename/ }).click();
    await page.getByRole('button', { name: 'Make a link to watch it' }).click();
    const link = await copied('Copy the link');
    expect({ code, prompt, message, command, output, change, link, errors: served.errors }).toEqual({
      code: 'const answer = 42;',
      prompt: 'markdown',
      message: 'code small: say **it** as it is',
      command: 'make',
      output: 'red\n100 %\nend',
      change: expect.stringContaining('\n line 19\n-line 20\n+line twenty\n line 21\n'),
      link: await page.getByLabel('Who has this link can watch the session, for a day').inputValue(),
      errors: [],
    });
  },
);

test.skipIf(withoutBrowser)(`a browser that does not allow copying is reported${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'hello');
  await page.locator('.state.ready').waitFor();
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`);
  await page.getByRole('button', { name: 'Copy the message' }).click();
  const said = await page.getByRole('alert').innerText();
  expect([said, served.errors]).toEqual(['Your browser did not allow copying. Select the text instead.', []]);
});
