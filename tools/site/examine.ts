import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { findBrowser, noBrowser } from '../test/find-browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A site that was written to a folder. */
export interface WrittenSite {
  readonly folder: string;
  /** The addresses of pages, from the folder. */
  readonly urls: readonly string[];
}

/** A size and colours in which pages are looked at. */
export interface Look {
  /** In CSS pixels. */
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** A phone, a tablet and a screen; both colours. */
export const looks: readonly Look[] = [
  { width: 390, colorScheme: 'dark' },
  { width: 820, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
];

/** What is wrong in pages of a site: what axe finds, and what is wider than the window. */
export async function examineSite(
  browser: Browser,
  { folder, urls }: WrittenSite,
  look: Look,
): Promise<readonly string[]> {
  const { width, colorScheme } = look;
  await using context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const problems: string[] = [];
  for (const url of urls) {
    await page.goto(pathToFileURL(join(folder, url)).href);
    await page.evaluate(axe);
    const found = await page.evaluate<readonly string[]>(`axe.run().then(({ violations }) => [
      ...violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
      ...(document.documentElement.scrollWidth > innerWidth ? ['it is wider than the window'] : []),
    ])`);
    problems.push(...found.map((problem) => `${url}, ${width} pixels, ${colorScheme}: ${problem}`));
  }
  return problems;
}

/** Examines every page of a site that was written. Takes minutes. */
export async function examineEveryPage(site: WrittenSite): Promise<readonly string[]> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(`No page can be examined${noBrowser(executablePath)}`);
  await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const problems: string[] = [];
  for (const look of looks) problems.push(...(await examineSite(browser, site, look)));
  return problems;
}
