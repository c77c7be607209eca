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

/** What is in order needs not be described. */
const violations = "axe.run({ resultTypes: ['violations'] })";

/** A page that was examined. */
export interface ExaminedPage {
  /** Its address, and the look it was examined in. */
  readonly name: string;
  /** What axe finds, and whether it is wider than the window. */
  readonly problems: readonly string[];
}

/** A phone, a tablet and a screen; both colours. */
export const looks: readonly Look[] = [
  { width: 360, colorScheme: 'dark' },
  { width: 800, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];

/** Examines pages of a site in one look. Each page is yielded as soon as it has been examined. */
export async function* examineSite(
  browser: Browser,
  { folder, urls }: WrittenSite,
  look: Look,
): AsyncGenerator<ExaminedPage> {
  const { width, colorScheme } = look;
  await using context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  for (const url of urls) {
    await page.goto(pathToFileURL(join(folder, url)).href);
    await page.evaluate(axe);
    const problems = await page.evaluate<readonly string[]>(`${violations}.then(({ violations }) => [
      ...violations.map(({ id, nodes }) => id + ' (' + nodes.length + '): ' + nodes[0].html),
      ...(document.documentElement.scrollWidth > innerWidth ? ['it is wider than the window'] : []),
    ])`);
    yield { name: `${url}, ${width} pixels, ${colorScheme}`, problems };
  }
}

/** Examines every page of a site that was written, in every look. Takes minutes. */
export async function* examineEveryPage(site: WrittenSite): AsyncGenerator<ExaminedPage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(`No page can be examined${noBrowser(executablePath)}`);
  await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  for (const look of looks) yield* examineSite(browser, site, look);
}
