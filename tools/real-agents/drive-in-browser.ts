import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright-core';
import { findBrowser } from '../test/find-browser.ts';
import type { AgentFixture } from './agent-fixture.ts';

/** A prompt to type, and the answer to the agent's questions. */
export interface BrowserTurn {
  readonly prompt: string;
  readonly answer: 'allow' | 'reject';
}

/** The page during a turn. */
export interface ShownTurn {
  /** The texts of the questions. */
  readonly asked: readonly string[];
  /** The states of the tool calls. */
  readonly tools: readonly string[];
  /** The text of the whole session. */
  readonly said: string;
}

/** Timeout of a turn, in milliseconds. */
const patience = 120_000;

/**
 * Runs turns with the agent of a fixture in the page of `turnwire serve`, and takes screenshots of questions and results at two screen
 * sizes.
 */
export async function driveInBrowser(
  fixture: AgentFixture,
  turns: readonly BrowserTurn[],
): Promise<{ readonly turns: readonly ShownTurn[]; readonly errors: readonly string[] }> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('Chromium was not found. Install it: apt-get install chromium');
  const server = fixture.start(['serve', '--json']);
  const ended = once(server, 'exit');
  const [line] = (await Promise.race([
    once(createInterface(server.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('the server ended'))),
  ])) as [string];
  const { web } = JSON.parse(line) as { readonly web: string };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: wide, reducedMotion: 'reduce' });
    page.setDefaultTimeout(patience);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(web);
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.locator('.state.ready').waitFor();
    const shown: ShownTurn[] = [];
    for (const [place, turn] of turns.entries()) shown.push(await takeTurn(page, turn, { fixture, place }));
    return { turns: shown, errors };
  } finally {
    await browser.close();
    server.kill();
    await ended;
  }
}

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

async function takeTurn(
  page: Page,
  { prompt, answer }: BrowserTurn,
  { fixture, place }: { readonly fixture: AgentFixture; readonly place: number },
): Promise<ShownTurn> {
  const before = await page.locator('.tool').count();
  await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
  await page.keyboard.press('Enter');
  await page.locator('.user').nth(place).waitFor();
  const asked: string[] = [];
  const button = page
    .locator('.question')
    .getByRole('button', { name: answer === 'allow' ? /^allow|^yes/i : /^reject|^deny|^no\b/i });
  const ready = page.locator('.state.ready');
  for (;;) {
    await button.first().or(ready).first().waitFor();
    if (await ready.isVisible()) break;
    asked.push(await page.locator('.question').innerText());
    await keepPictures(page, fixture, `web-${place}-question`);
    await button.first().click();
    await page.locator('.state.asking').waitFor({ state: 'detached' });
  }
  await keepPictures(page, fixture, `web-${place}-end`);
  const states = await page.locator('.tool-state').evaluateAll(labels);
  return { asked, tools: states.slice(before), said: await page.locator('.rows').innerText() };
}

async function keepPictures(page: Page, { pictures }: AgentFixture, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ wide, phone })) {
    await page.setViewportSize(viewport);
    pictures.set(`${name}-${size}`, await page.screenshot());
  }
  await page.setViewportSize(wide);
}

function labels(elements: readonly unknown[]): string[] {
  return elements.map((element) => String((element as { readonly ariaLabel?: string | null }).ariaLabel));
}
