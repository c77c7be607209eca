import { expect, test } from 'vitest';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

/** A picture of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Globals of a browser that Node lacks. */
interface BrowserEvents {
  readonly DataTransfer: new () => { readonly items: { add(file: unknown): void } };
  readonly File: new (parts: readonly unknown[], name: string, options: object) => unknown;
  readonly DragEvent: new (name: string, options: object) => Event;
  readonly ClipboardEvent: new (name: string, options: object) => Event;
}

/** Whether an element is inside the window with its middle uncovered. */
function isOnScreen(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && shown !== null && element.contains(shown);
}

test.skipIf(withoutBrowser)(`a question about a command shows invisible characters${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'hidden');
  const question = page.getByRole('region', { name: 'The agent asks' });
  await question.getByRole('button', { name: 'Allow once' }).waitFor();
  await page.getByRole('navigation', { name: 'Sessions' }).locator('.listed[aria-current] .dot.asking').waitFor();
  expect({
    command: await question.locator('.command-line').textContent(),
    named: await question.locator('.command-line mark').allTextContents(),
  }).toEqual({ command: 'echo aU+200BbU+202E; rm -r', named: ['U+200B', 'U+202E'] });
  await question.getByRole('button', { name: 'Reject once' }).click();
  await page.locator('.agent').getByText('rejected').waitFor();
});

test.skipIf(withoutBrowser)(`a question that appears while the user types takes no key${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'asks late');
  const question = page.getByRole('region', { name: 'The agent asks' });
  const text = 'yes, yny nnn y1 please note the new version';
  await editor(page).pressSequentially(text, { delay: 40 });
  await question.getByRole('button', { name: 'Allow once' }).waitFor();
  await editor(page).blur();
  await page.keyboard.press('y');
  await page.keyboard.press('n');
  expect({ typed: await editor(page).inputValue(), questions: await question.count() }).toEqual({
    typed: text,
    questions: 1,
  });
});

test.skipIf(withoutBrowser)(`a draft survives a reload${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'one');
  await page.locator('.agent').getByText('one').waitFor();
  await editor(page).fill('not sent yet');
  await page.reload();
  await expect.poll(() => editor(page).inputValue()).toBe('not sent yet');
});

test.skipIf(withoutBrowser)(`the Enter that confirms an input method in Safari sends nothing${unless}`, async () => {
  const page = await served.open();
  await begin(page);
  await editor(page).fill('漢');
  const isTaken = await editor(page).evaluate((element) => {
    const { KeyboardEvent: Key } = globalThis as unknown as {
      readonly KeyboardEvent: new (type: string, init: object) => Event;
    };
    return !(element as unknown as EventTarget).dispatchEvent(
      new Key('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
    );
  });
  expect({ isTaken, text: await editor(page).inputValue() }).toEqual({ isTaken: false, text: '漢' });
});

for (const [key, said] of [
  ['y', 'allowed'],
  ['n', 'rejected'],
] as const)
  test.skipIf(withoutBrowser)(`the key ${key} answers once the user has moved to the question${unless}`, async () => {
    const page = await served.open();
    await begin(page, 'hidden');
    const question = page.getByRole('region', { name: 'The agent asks' });
    await question.getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
    await editor(page).blur();
    await page.keyboard.press('q');
    await page.keyboard.press('1');
    expect(await question.count()).toBe(1);
    await page.keyboard.press(key);
    await page.locator('.agent').getByText(said).waitFor();
  });

for (const viewport of [
  { width: 390, height: 700 },
  { width: 1280, height: 800 },
  { width: 844, height: 390 },
])
  test.skipIf(withoutBrowser)(
    `a long command can be allowed only after its end was on the screen, and rejected at any time, at ${viewport.width} × ${viewport.height}${unless}`,
    async () => {
      const page = await served.open({ viewport });
      await begin(page, 'long command');
      const question = page.getByRole('region', { name: 'The agent asks' });
      const reject = question.getByRole('button', { name: 'Reject once' });
      const allow = question.getByRole('button', { name: 'Allow once' });
      await expect.poll(() => reject.isEnabled()).toBe(true);
      const shown = {
        allow: await allow.evaluate(isOnScreen),
        reject: await reject.evaluate(isOnScreen),
        mayAllow: await allow.isEnabled(),
        hint: await question.getByText('Scroll to the end to allow it.').count(),
      };
      await question.locator('.facts').evaluate((facts) => void (facts.scrollTop = facts.scrollHeight));
      await allow.click();
      await page.locator('.agent').getByText('allowed').waitFor();
      expect(shown).toEqual({ allow: true, reject: true, mayAllow: false, hint: 1 });
    },
  );

test.skipIf(withoutBrowser)(
  `on a phone a question replaces the editor, unless the user is typing, until it is lowered${unless}`,
  async () => {
    const page = await served.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await begin(page, 'hidden');
    const question = page.getByRole('region', { name: 'The agent asks' });
    const [reject, allow] = ['Reject once', 'Allow once'].map((name) => question.getByRole('button', { name }));
    await editor(page).waitFor({ state: 'hidden' });
    const boxes = await Promise.all([reject?.boundingBox(), allow?.boundingBox()]);
    await question.getByRole('button', { name: 'Lower the question' }).tap();
    await editor(page).fill('typed');
    await question
      .getByRole('button', { name: 'Show the question' })
      .evaluate((button) => (button as HTMLElement).click());
    await allow?.waitFor();
    const whileTyping = await editor(page).isVisible();
    await editor(page).blur();
    await editor(page).waitFor({ state: 'hidden' });
    await allow?.tap();
    await page.locator('.agent').getByText('allowed').waitFor();
    expect({
      isBeside: boxes[0]?.y === boxes[1]?.y,
      isWide: boxes.every((box) => box && box.height >= 44 && box.width >= 160),
      whileTyping,
      draft: await editor(page).inputValue(),
    }).toEqual({ isBeside: true, isWide: true, whileTyping: true, draft: 'typed' });
  },
);

test.skipIf(withoutBrowser)(`a form has a field of every kind, is validated, and is answered${unless}`, async () => {
  const page = await served.open();
  await begin(page, 'form');
  await page.getByLabel('Name (required)').fill('A');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  const problems = await page.getByRole('alert').allTextContents();
  await page.getByLabel('Name (required)').fill('Ada');
  await page.getByLabel('Count').fill('3');
  await page.getByLabel('Quick').uncheck();
  await page.getByRole('radio', { name: 'green' }).check();
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
  `a page opens only after its address and the warnings about it were shown${unless}`,
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

test.skipIf(withoutBrowser)(
  `a prompt is sent with modes, options, commands, files and attachments${unless}`,
  async () => {
    const page = await served.open();
    await begin(page);
    await page.getByLabel('Mode', { exact: true }).selectOption('Ask');
    await page.getByLabel('Model').selectOption('Large');
    await editor(page).pressSequentially('/re');
    await page.getByRole('option', { name: '/review' }).waitFor();
    // The next key arrives before the page is drawn again.
    await page.evaluate(
      'const { requestAnimationFrame: draw } = window; window.requestAnimationFrame = (next) => setTimeout(() => draw(next), 200)',
    );
    await page.keyboard.press('Tab');
    await page.getByText('which changes').waitFor();
    await editor(page).pressSequentially('@not', { delay: 150 });
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
  },
);

test.skipIf(withoutBrowser)(
  `a queued prompt can be edited again, and the key up recalls the last one${unless}`,
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
  `the keys up and down browse the earlier prompts until the user changes one${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'one');
    for (const text of ['two', 'three']) await send(page, text);
    await page.locator('.agent').getByText('code small: three').waitFor();
    const seen: string[] = [];
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
      await editor(page).press(key);
      seen.push(await editor(page).inputValue());
    }
    await editor(page).press('ArrowUp');
    await editor(page).pressSequentially('!');
    await editor(page).press('ArrowUp');
    expect({ seen, changed: await editor(page).inputValue() }).toEqual({
      seen: ['three', 'two', 'one', 'one', 'two', 'three', ''],
      changed: 'three!',
    });
  },
);

test.skipIf(withoutBrowser)(`a picture that is dropped or pasted is sent with the prompt${unless}`, async () => {
  const page = await served.open();
  await begin(page);
  await page.locator('.state.ready').waitFor();
  await editor(page).evaluate((element, picture) => {
    const { DataTransfer, File, DragEvent, ClipboardEvent } = globalThis as unknown as BrowserEvents;
    const bytes = Uint8Array.from(atob(picture), (character) => character.codePointAt(0) ?? 0);
    for (const [Kind, name, place] of [
      [DragEvent, 'drop', 'dataTransfer'],
      [ClipboardEvent, 'paste', 'clipboardData'],
    ] as const) {
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], `${name}.png`, { type: 'image/png' }));
      (element as EventTarget).dispatchEvent(new Kind(name, { bubbles: true, cancelable: true, [place]: transfer }));
    }
  }, pixel);
  await page.getByRole('button', { name: 'Remove paste.png' }).waitFor();
  await page.getByRole('button', { name: 'Remove drop.png' }).waitFor();
  await send(page, 'look');
  const answer = (await page.locator('.agent').textContent()) ?? '';
  const image = JSON.stringify({ type: 'image', mimeType: 'image/png', data: pixel });
  expect({ parts: answer.split(' + '), shown: await page.locator('.user img').count(), errors: served.errors }).toEqual(
    {
      parts: ['code small: look', image, image],
      shown: 2,
      errors: [],
    },
  );
});

test.skipIf(withoutBrowser)(
  `the page shows a visit that the agent waits for until the agent reports it complete${unless}`,
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
