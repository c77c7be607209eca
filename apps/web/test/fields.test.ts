import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, editor, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

/** The visible fields, with the contrast of their borders against both sides, and of their placeholders. */
const contrasts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [red, green, blue] = rgba(colour).map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (rgba(colour)[3] === 255) return colour;
    }
    return getComputedStyle(document.documentElement).backgroundColor;
  };
  const isShown = (element) => element.checkVisibility() && element.type !== 'checkbox' && !element.closest('.settings');
  return [...document.querySelectorAll('input, select, textarea')].filter(isShown).flatMap((field) => {
    const name = field.ariaLabel ?? field.labels[0]?.innerText ?? field.id;
    const framed = field.closest('.editor') ?? field;
    const border = getComputedStyle(framed).borderTopColor;
    const sides = [ground(framed), ground(framed.parentElement)].map((side) => contrast(border, side));
    const placeholder = contrast(getComputedStyle(field, '::placeholder').color, ground(field));
    return [[name + ', border', Math.min(...sides), 3], ...(field.placeholder ? [[name + ', placeholder', placeholder, 4.5]] : [])];
  });
})()`;

/** The fields with too little contrast, out of at least this number. */
async function tooFaint(page: Page, fewest: number): Promise<readonly unknown[]> {
  const found = (await page.evaluate(contrasts)) as readonly (readonly [what: string, ratio: number, least: number])[];
  expect(found.length).toBeGreaterThanOrEqual(fewest);
  return found.filter(([, ratio, least]) => ratio < least);
}

for (const colorScheme of ['light', 'dark'] as const)
  test.skipIf(withoutBrowser)(`fields and placeholders have enough contrast, ${colorScheme}${unless}`, async () => {
    const page = await served.open({ colorScheme });
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    const begun = await tooFaint(page, 6);
    await begin(page, 'form');
    await page.getByLabel('Colour').waitFor();
    await page.getByRole('button', { name: 'Decline' }).focus();
    expect({ begun, form: await tooFaint(page, 7) }).toEqual({ begun: [], form: [] });
  });

/** The visible controls that are too small for a finger, and fields on which Safari zooms in. */
const tooSmall = `(() => {
  const targets = 'button, summary, select, textarea, input:not([type=checkbox], [type=radio]), [role=option], label:has(> :is([type=checkbox], [type=radio])), .field:has(> [type=checkbox]) > label';
  const nameOf = (element) => element.ariaLabel ?? (element.innerText || element.id || element.className);
  return [...document.querySelectorAll(targets)].filter((element) => element.checkVisibility({ visibilityProperty: true })).flatMap((element) => {
    const { width, height } = element.getBoundingClientRect();
    const isZoomed = element.matches('input, select, textarea') && Number.parseFloat(getComputedStyle(element).fontSize) < 16;
    const faults = [width < 44 && 'narrow', height < 44 && 'low', isZoomed && 'zoomed'].filter(Boolean);
    return faults.map((fault) => nameOf(element) + ' is ' + fault);
  });
})()`;

test.skipIf(withoutBrowser)(
  `on a touch screen every control is large enough for a finger, and no field makes Safari zoom in${unless}`,
  async () => {
    const page = await served.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    const found: Record<string, unknown> = { new: await page.evaluate(tooSmall) };
    await begin(page, 'thought');
    for (const prompt of ['resources', 'markdown', 'command', 'plan', 'diff']) await send(page, prompt);
    await page.locator('.diff').waitFor();
    await page.locator('.state.ready').waitFor();
    found['session'] = await page.evaluate(tooSmall);
    await send(page, 'hidden');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    found['permission'] = await page.evaluate(tooSmall);
    await page.getByRole('button', { name: 'Reject once' }).tap();
    await send(page, 'form');
    await page.getByLabel('Colour').waitFor();
    found['form'] = await page.evaluate(tooSmall);
    await page.getByRole('button', { name: 'Decline' }).tap();
    await page.locator('.state.ready').waitFor();
    await send(page, 'wait');
    await page.locator('.agent').getByText('waiting').waitFor();
    await send(page, 'later');
    await page.getByRole('list', { name: 'Queued prompts' }).waitFor();
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Remove a.txt' }).waitFor();
    await editor(page).pressSequentially('/re');
    await page.getByRole('option', { name: '/review' }).waitFor();
    found['queue and suggestions'] = await page.evaluate(tooSmall);
    await editor(page).fill('');
    await page.getByRole('button', { name: /^Rename/ }).tap();
    found['menu'] = await page.evaluate(tooSmall);
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: 'Sessions', exact: true }).tap();
    await page.locator('.shade').waitFor();
    found['sessions'] = await page.evaluate(tooSmall);
    expect(found).toEqual({
      new: [],
      session: [],
      permission: [],
      form: [],
      'queue and suggestions': [],
      menu: [],
      sessions: [],
    });
  },
);
