import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tokens } from 'marked';
import type { Browser, Page as BrowserPage } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { definitions } from '../../packages/protocol/schema/definitions.ts';
import { methods } from '../../packages/protocol/src/methods.ts';
import { unstableMethods } from '../../packages/protocol/src/unstable/methods.ts';
import { findBrowser, noBrowser } from '../test/find-browser.ts';
import { sharedBrowser } from '../test/shared-browser.ts';
import { readDocument } from './markdown.ts';
import type { Page } from './page.ts';
import { allPages } from './pages.ts';
import { drawSite } from './site.ts';
import { writeSite } from './write-site.ts';

const pages = allPages();
const site = drawSite(pages, { api: false });

test('every link of the documentation leads somewhere, and every picture is there', () => {
  expect(site.problems).toEqual([]);
});

function page(path: string, text: string): Page {
  return { path, url: path.replace('.md', '.html'), text, group: 'Use' };
}

test('what is wrong in a page is named with the page', () => {
  const { problems } = drawSite(
    [
      page(
        'docs/one.md',
        '# One\n\n[a](two.md) [b](two.md#there) [c](two.md#not-there) [d](three.md) [e](http://example.com)',
      ),
      page('docs/two.md', 'No title\n\n## There\n\n![picture](nowhere.png) [f](#there) [g](../package.json)'),
    ],
    { api: false },
  );
  expect(problems).toEqual([
    'docs/one.md: the link two.md#not-there leads nowhere',
    'docs/one.md: the link three.md leads nowhere',
    'docs/one.md: the link http://example.com leads nowhere',
    'docs/two.md: it does not begin with a title',
    'docs/two.md: there is no picture nowhere.png',
  ]);
});

test('a page with HTML in it is refused, but for comments', () => {
  expect(() => drawSite([page('one.md', '# One\n\n<!-- a comment -->\n\n<b>loud</b>')], { api: false })).toThrow(
    'HTML in a page: <b>',
  );
});

test('a file of the repository that a page links to is shown on a page of its own', () => {
  const { files } = drawSite([page('docs/one.md', '# One\n\n[the tools](../tools/folders.mjs)')], { api: false });
  expect([...files.keys()]).toEqual(['docs/one.html', 'code/tools/folders.mjs.html', 'assets/search-index.js']);
});

function headingsOf(name: string): readonly string[] {
  const { headings } = readDocument(pages.find(({ path }) => path === `docs/protocol/${name}.md`)?.text ?? '');
  return headings.map(({ text }) => text);
}

test('every method and every definition of the protocol is in its reference', () => {
  const missing = (names: readonly string[], headings: readonly string[]): readonly string[] =>
    names.filter((name) => !headings.includes(name));
  const described = pages.find(({ path }) => path === 'docs/protocol/methods.md')?.text ?? '';
  expect({
    stable: missing(Object.keys(methods), headingsOf('methods')),
    unstable: missing(Object.keys(unstableMethods), [...headingsOf('methods'), ...headingsOf('unstable')]),
    definitions: missing(Object.keys(definitions), headingsOf('types')).filter(
      (name) => !described.includes(`\`${name}\``),
    ),
  }).toEqual({ stable: [], unstable: [], definitions: [] });
});

test('a field is described with its type, its meaning, and what is done about a bad value', () => {
  const methodsPage = pages.find(({ path }) => path === 'docs/protocol/methods.md')?.text ?? '';
  expect(methodsPage.match(/^.*`mcpServers`.*$/gm)?.[0]).toBe(
    '| `mcpServers` **required** | list of [McpServer](types.md#mcpserver) | MCP servers for the agent to connect to. | `null` is an empty list; else refused |',
  );
});

test.each(pages.filter(({ path }) => path.startsWith('docs/guide/editors/')).map(({ path, text }) => ({ path, text })))(
  'the settings in $path are complete JSON, if they are JSON',
  ({ text }) => {
    const settings = readDocument(text).tokens.filter(({ type, raw }) => type === 'code' && raw.startsWith('```json'));
    for (const each of settings) expect(JSON.parse((each as Tokens.Code).text)).toEqual(expect.any(Object));
  },
);

test('a page loads one small script', () => {
  const scripts = site.files.get('index.html')?.match(/<script[^>]*>/g);
  expect(scripts).toEqual(['<script src="assets/site.js" data-root="." defer>']);
  // All of 100 KB would be allowed.
  expect(statSync(new URL('assets/site.js', import.meta.url)).size).toBeLessThan(10_000);
});

const executablePath = findBrowser();

describe.skipIf(executablePath === undefined)(`in Chromium${noBrowser(executablePath)}`, () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-site-'));

  beforeAll(async () => {
    writeSite(site, folder);
    browser = await sharedBrowser(executablePath ?? '');
  });

  const addressOf = (url: string): string => pathToFileURL(join(folder, url)).href;

  test.each([
    { width: 1440, colorScheme: 'light' },
    { width: 900, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'axe finds nothing at $width pixels, $colorScheme, and nothing is wider than the window',
    async (look) => {
      const { width, colorScheme } = look;
      await using context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const opened = await context.newPage();
      const found: unknown[] = [];
      for (const url of ['index.html', 'guide/permissions.html', 'protocol/index.html', 'protocol/unstable.html']) {
        await opened.goto(addressOf(url));
        found.push({ url, ...(await examined(opened)) });
      }
      expect(found).toEqual(
        ['index.html', 'guide/permissions.html', 'protocol/index.html', 'protocol/unstable.html'].map((url) => ({
          url,
          violations: [],
          isTooWide: false,
        })),
      );
    },
  );

  test('a word is searched with the keyboard alone, and leads to its section', async () => {
    await using context = await browser.newContext();
    const opened = await context.newPage();
    await opened.goto(addressOf('guide/chat.html'));
    await opened.keyboard.press('/');
    await opened.keyboard.type('session/set_mode');
    await opened.locator('#found a').first().waitFor();
    await opened.keyboard.press('ArrowDown');
    expect(await opened.locator('#found a:focus strong').textContent()).toBe('session/set_mode');
    await opened.keyboard.press('Enter');
    await opened.waitForURL(/methods\.html#sessionset_mode$/);
  });
});

async function examined(opened: BrowserPage): Promise<object> {
  await opened.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return opened.evaluate(`axe.run().then(({ violations }) => ({
    violations: violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
    isTooWide: document.documentElement.scrollWidth > innerWidth,
  }))`);
}
