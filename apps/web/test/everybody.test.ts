import { expect, test } from 'vitest';
import { findings } from './axe-findings.ts';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

for (const colorScheme of ['light', 'dark'] as const)
  test.skipIf(withoutBrowser)(`axe finds no problem on any screen, ${colorScheme}${unless}`, async () => {
    const page = await served.open({ colorScheme });
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    const found: Record<string, unknown> = { new: await findings(page) };
    await begin(page, 'thought');
    for (const prompt of ['markdown', 'command', 'plan', 'usage', 'diff']) await send(page, prompt);
    await page.locator('.diff').waitFor();
    await page.locator('.state.ready').waitFor();
    found['session'] = await findings(page);
    await send(page, 'hidden');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    found['permission'] = await findings(page);
    await page.getByRole('button', { name: 'Reject once' }).click();
    await send(page, 'form');
    await page.getByLabel('Colour').waitFor();
    found['form'] = await findings(page);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.locator('.state.ready').waitFor();
    await send(page, 'page');
    await page.getByRole('button', { name: 'Open it' }).waitFor();
    found['address'] = await findings(page);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.locator('.state.ready').waitFor();
    await send(page, 'wait');
    await page.locator('.agent').getByText('waiting').waitFor();
    await send(page, 'later');
    await page.getByRole('list', { name: 'Queued prompts' }).waitFor();
    await editor(page).pressSequentially('/re');
    await page.getByRole('option', { name: '/review' }).waitFor();
    found['queue and suggestions'] = await findings(page);
    await editor(page).fill('');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Sessions', exact: true }).click();
    found['sessions on a phone'] = await findings(page);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByRole('button', { name: /^Rename/ }).click();
    found['menu'] = await findings(page);
    await page.keyboard.press('Escape');
    await page.locator('.transcript').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    found['keys'] = await findings(page);
    expect(found).toEqual({
      new: [],
      session: [],
      permission: [],
      form: [],
      address: [],
      'queue and suggestions': [],
      'sessions on a phone': [],
      menu: [],
      keys: [],
    });
  });

test.skipIf(withoutBrowser)(
  `on a phone everything fits, and every control is in reach of a thumb${unless}`,
  async () => {
    const page = await served.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await begin(page, 'markdown');
    await page.locator('.state.ready').waitFor();
    await send(page, 'hidden');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    const atEnd = (): Promise<number> => page.locator('.transcript').evaluate(distanceFromEnd);
    await expect.poll(atEnd).toBeLessThan(2);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    const answers = await page.locator('.permission > .answers button').evaluateAll(heightsOf);
    await page.getByRole('button', { name: 'Reject once' }).tap();
    await page.locator('.state.ready').waitFor();
    // The question was in the place of the editor.
    const sizes = [...answers, ...(await page.locator('.round').evaluateAll(heightsOf))];
    await send(page, 'usage');
    await page.getByRole('button', { name: /^Rename/ }).tap();
    await page.getByRole('dialog', { name: 'Session' }).getByText('12K / 100K').waitFor();
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: 'Sessions', exact: true }).tap();
    await page.locator('.shade').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.shade').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sessions', exact: true }).tap();
    const list = page.getByRole('navigation', { name: 'Sessions' });
    await list.getByRole('button', { name: /^markdown/ }).tap();
    await editor(page).waitFor();
    expect({ overflow: await page.evaluate(overflow), small: sizes.filter((size) => size < 44) }).toEqual({
      overflow: 0,
      small: [],
    });
  },
);

test.skipIf(withoutBrowser)(`the keyboard alone is enough for a turn${unless}`, async () => {
  const page = await served.open();
  await page.getByRole('combobox', { name: 'Folder', exact: true }).press('Enter');
  await editor(page).waitFor();
  await page.keyboard.press('e');
  await page.keyboard.type('hidden');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('q');
  await page.keyboard.press('y');
  await page.locator('.agent').getByText('allowed').waitFor();
  await page.locator('.state.ready').waitFor();
  const said = await page.locator('[aria-live=polite]').textContent();
  await page.locator('.transcript').focus();
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  expect({ said, errors: served.errors }).toEqual({ said: 'The turn has ended. allowed', errors: [] });
});

test.skipIf(withoutBrowser)(`nothing moves for users who prefer reduced motion${unless}`, async () => {
  const page = await served.open({ reducedMotion: 'reduce' });
  await begin(page, 'hidden');
  await page.getByRole('button', { name: 'Allow once' }).waitFor();
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
});

test.skipIf(withoutBrowser)(`the page can be installed${unless}`, async () => {
  const page = await served.open();
  const session = await page.context().newCDPSession(page);
  const { errors, data } = (await session.send('Page.getAppManifest')) as unknown as {
    readonly errors: readonly unknown[];
    readonly data: string;
  };
  const { icons } = JSON.parse(data) as { readonly icons: readonly { readonly src: string }[] };
  const statuses = await Promise.all(
    icons.map(async ({ src }) => (await fetch(new URL(src, served.server.url))).status),
  );
  expect({ errors, statuses }).toEqual({ errors: [], statuses: [200, 200, 200, 200] });
});

test.skipIf(withoutBrowser)(
  `a page that is not logged in explains how to log in, and does not store the pasted token${unless}`,
  async () => {
    const page = await served.open();
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    await page.evaluate('localStorage.clear()');
    await page.goto(served.server.url);
    await page.getByLabel('Token').fill('wrong');
    const found = await findings(page);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('This token is not valid.').waitFor();
    await page.getByLabel('Token').fill(served.server.token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    const stored = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])',
    );
    expect({ found, isStored: String(stored).includes(served.server.token) }).toEqual({ found: [], isStored: false });
  },
);

function heightsOf(elements: readonly unknown[]): readonly number[] {
  return elements.map((element) =>
    Math.ceil((element as { getBoundingClientRect(): { readonly height: number } }).getBoundingClientRect().height),
  );
}

function distanceFromEnd(box: unknown): number {
  const { scrollHeight, scrollTop, clientHeight } = box as Record<
    'scrollHeight' | 'scrollTop' | 'clientHeight',
    number
  >;
  return scrollHeight - scrollTop - clientHeight;
}
