import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Axe reports these rules for every page, about parts that the theme of VitePress draws. */
const rulesOfTheTheme = ['label-content-name-mismatch', 'nested-interactive'];

/** The size and colours in which pages are examined. */
export interface Look {
  /** In CSS pixels. */
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** A phone, a tablet and a screen; both colours. */
export const looks: readonly Look[] = [
  { width: 360, colorScheme: 'dark' },
  { width: 800, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];

/** A written site on a port of this machine. */
export interface ServedSite extends AsyncDisposable {
  /** With the base and its slash at the end. */
  readonly url: string;
}

/** Serves a written site until it is disposed. */
export async function serveSite(folder: string, base: string): Promise<ServedSite> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://localhost').pathname);
    const name = path.startsWith(base) ? path.slice(base.length).replace(/(^|\/)$/, '$1index.html') : '';
    try {
      const content = readFileSync(join(folder, name));
      response.setHeader('content-type', contentTypes[extname(name)] ?? 'application/octet-stream').end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Opens pages of a site in one look. For each it yields what is wrong: violations that axe finds, failed requests, requests to other hosts,
 * and content wider than the window.
 */
export async function* examinePages(
  browser: Browser,
  { url, paths }: { readonly url: string; readonly paths: readonly string[] },
  { width, colorScheme }: Look,
): AsyncGenerator<readonly string[]> {
  await using context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  let problems: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      problems.push(`requests ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`);
  });
  for (const path of paths) {
    problems = [];
    await openPage(page, `${url}${path}`);
    await page.evaluate(axe);
    const found = await page.evaluate<readonly string[]>(`axe
      .run({ resultTypes: ['violations'], rules: ${JSON.stringify(Object.fromEntries(rulesOfTheTheme.map((rule) => [rule, { enabled: false }])))} })
      .then(({ violations }) => [
        ...violations.map(({ id, nodes }) => id + ' (' + nodes.length + '): ' + nodes[0].html),
        ...(document.documentElement.scrollWidth > innerWidth ? ['is wider than the window'] : []),
      ])`);
    yield [...problems, ...found].map((problem) => `${path}, ${width} pixels, ${colorScheme}: ${problem}`);
  }
}

/** Opens a page and waits for its scripts, which name the switch of the colours when they have run. */
export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: 'attached' });
}
