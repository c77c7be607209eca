import { expect, test } from 'vitest';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

test.skipIf(withoutBrowser)(`a command to allow shows characters that are not seen${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'hidden');
  const question = page.getByRole('region', { name: 'The agent asks' });
  await question.getByRole('button', { name: 'Allow once' }).waitFor();
  expect({
    command: await question.locator('.command-line').textContent(),
    named: await question.locator('.command-line mark').allTextContents(),
  }).toEqual({ command: 'echo aU+200BbU+202E; rm -r', named: ['U+200B', 'U+202E'] });
  await question.getByRole('button', { name: 'Reject once' }).click();
  await page.locator('.agent').getByText('rejected').waitFor();
});

test.skipIf(withoutBrowser)(`what is typed into the editor is no answer to a question${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'hidden');
  const question = page.getByRole('region', { name: 'The agent asks' });
  await question.getByRole('button', { name: 'Allow once' }).waitFor();
  await editor(page).pressSequentially('1');
  await editor(page).blur();
  expect(await question.count()).toBe(1);
  await page.keyboard.press('1');
  await page.locator('.agent').getByText('allowed').waitFor();
});

test.skipIf(withoutBrowser)(`a form has a field of every kind, is checked, and is answered${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'form');
  await page.getByLabel('Name (required)').fill('A');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  const problems = await page.getByRole('alert').allTextContents();
  await page.getByLabel('Name (required)').fill('Ada');
  await page.getByLabel('Count').fill('3');
  await page.getByLabel('Quick').uncheck();
  await page.getByLabel('Colour').selectOption('green');
  await page.getByLabel('a', { exact: true }).check();
  await page.getByLabel('c', { exact: true }).check();
  await page.getByRole('region', { name: 'The agent asks' }).getByRole('button', { name: 'Send' }).click();
  const answer = await page.locator('.agent').textContent();
  expect({ problems: problems.filter((problem) => problem !== ''), answer: JSON.parse(answer ?? '') }).toEqual({
    problems: [expect.stringMatching(/^Name /), expect.stringMatching(/^Colour /)],
    answer: { name: 'Ada', count: 3, quick: false, colour: 'green', parts: ['a', 'c'] },
  });
});

test.skipIf(withoutBrowser)(
  `a page is opened only after its address was shown with what is odd about it${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'page');
    const question = page.getByRole('region', { name: 'The agent asks' });
    await question.getByRole('button', { name: 'Open it' }).waitFor();
    expect({
      address: await question.locator('.command-line').textContent(),
      warnings: await question.locator('.caution').count(),
      links: await question.getByRole('link').count(),
    }).toEqual({ address: 'http://user@xn--pple-43d.com/in', warnings: 3, links: 0 });
    await question.getByRole('button', { name: 'Decline' }).click();
    await page.locator('.agent').getByText('declined').waitFor();
  },
);

test.skipIf(withoutBrowser)(`modes, options, commands, files and attachments go with a prompt${unless}`, async () => {
  const page = await served.open();
  await begin(page);
  await page.getByLabel('Mode', { exact: true }).selectOption('Ask');
  await page.getByLabel('Model').selectOption('Large');
  await editor(page).pressSequentially('/re');
  await page.getByRole('option', { name: '/review' }).waitFor();
  await page.keyboard.press('Tab');
  await page.getByText('which changes').waitFor();
  await editor(page).pressSequentially('@not');
  await page.getByRole('option', { name: 'notes.txt' }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hi') });
  await page.getByRole('button', { name: 'Remove a.txt' }).waitFor();
  await page.keyboard.press('Enter');
  const answer = (await page.locator('.agent').textContent()) ?? '';
  expect(answer.split(' + ')).toEqual([
    'ask large: /review @notes.txt ',
    JSON.stringify({ type: 'resource_link', name: 'notes.txt', uri: `file://${served.folder}/notes.txt` }),
    JSON.stringify({
      type: 'resource',
      resource: { uri: 'attachment:///a.txt', mimeType: 'text/plain', text: 'hi' },
    }),
  ]);
});

test.skipIf(withoutBrowser)(
  `a prompt that waits is taken back into the editor, and the last one comes with the key up${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'wait');
    await page.locator('.agent').getByText('waiting').waitFor();
    await send(page, 'second');
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => editor(page).inputValue()).toBe('second');
    await editor(page).fill('');
    await editor(page).press('ArrowUp');
    expect({ last: await editor(page).inputValue(), waiting: await page.locator('.waiting').count() }).toEqual({
      last: 'wait',
      waiting: 0,
    });
  },
);

test.skipIf(withoutBrowser)(
  `the page says what the agent waits for elsewhere, until the agent has seen that it is done${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'visit');
    await page.getByRole('button', { name: 'Open it' }).click();
    const visit = page.getByText('The agent waits until you are done at login.example.');
    await visit.waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.locator('.agent').getByText('waiting').waitFor();
    await expect.poll(() => visit.count()).toBe(0);
    expect({ state: await page.locator('.state').textContent(), errors: served.errors }).toEqual({
      state: 'Working',
      errors: [],
    });
  },
);
