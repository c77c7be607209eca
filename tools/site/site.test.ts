import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { stableEdition } from '../../packages/protocol/schema/editions.ts';
import { methods } from '../../packages/protocol/src/methods.ts';
import { unstableMethods } from '../../packages/protocol/src/unstable/methods.ts';
import { within } from '../pace.ts';
import { v2Methods } from '../../packages/protocol/src/v2/methods.ts';
import { captureNode, root } from '../run.mjs';
import { findBrowserForTests, noBrowser } from '../test/find-browser.ts';
import { sharedBrowser } from '../test/shared-browser.ts';
import { deadLinksIn } from './dead-links.ts';
import { examinePages, looks, openPage, serveSite } from './examine.ts';
import { apiIndex } from './generated-pages.ts';
import { linkAddress } from './links.ts';
import { pageGroups } from './pages.ts';
import { protocolPages } from './protocol-pages.ts';

test('dead links and missing pictures are named with their page; links to sections and folders of the site are not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-links-'));
  mkdirSync(join(folder, 'guide'));
  writeFileSync(
    join(folder, 'index.html'),
    '<h1 id="top"></h1><a href="#top"><a href="#none"><a href="/docs/guide/"><a href="/docs/guide/#b"><a href="https://example.com">',
  );
  writeFileSync(
    join(folder, 'guide/index.html'),
    '<h1 id="b"></h1><a href="../index.html#top"><a href="./c.html"><a href="/index.html"><img src="/docs/picture.png">',
  );
  expect(deadLinksIn(folder, '/docs/').toSorted()).toEqual([
    'guide/index.html: the link ./c.html leads nowhere',
    'guide/index.html: the link /docs/picture.png leads nowhere',
    'guide/index.html: the link /index.html leads nowhere',
    'index.html: the link #none leads nowhere',
  ]);
});

test('a link to a page, a file or a folder of the repository leads to the page of the site that shows it', () => {
  const addresses = [
    'chat.md#options',
    '../../packages/client/',
    '../../README.md',
    '../../tools/folders.mjs',
    '../../examples',
  ]
    .concat(['none.md', '#here', 'https://example.com'])
    .map((href) => linkAddress('docs/guide/start.md', href));
  expect(addresses).toEqual([
    '/guide/chat.html#options',
    '/packages/client/',
    '/',
    '/code/tools/folders.mjs.html',
    '/code/examples/',
    '/code/docs/guide/none.md.html',
    '#here',
    'https://example.com',
  ]);
});

test('no page is in two groups of the navigation', () => {
  const paths = pageGroups().flatMap((group) => group.paths);
  expect(paths).toEqual([...new Set(paths)]);
});

const protocol = new Map(protocolPages());

test('every method and every definition of the protocol is in its reference', () => {
  const headings = (name: string): readonly string[] =>
    Array.from(protocol.get(name)?.matchAll(/^## (.*)$/gm) ?? [], ([, heading = '']) => heading);
  const missing = (names: readonly string[], present: readonly string[]): readonly string[] =>
    names.filter((name) => !present.includes(name));
  expect({
    stable: missing(Object.keys(methods), headings('methods')),
    unstable: missing(Object.keys(unstableMethods), [...headings('methods'), ...headings('unstable')]),
    version2: missing(Object.keys(v2Methods), headings('version-2')),
    definitions: missing(Object.keys(stableEdition.definitions), headings('types')).filter(
      (name) => !protocol.get('methods')?.includes(`\`${name}\``),
    ),
  }).toEqual({ stable: [], unstable: [], version2: [], definitions: [] });
});

test('a field is described with its type, its meaning, and the handling of bad values', () => {
  expect(protocol.get('methods')?.match(/^.*`mcpServers`.*$/gm)?.[0]).toBe(
    '| `mcpServers` **required** | list of [McpServer](types.md#mcpserver) | The MCP servers that the agent connects to. | `null` is an empty list; else refused |',
  );
});

test('the list of the API pages links each import path to its page', () => {
  expect(apiIndex(['@turnwire/client/node'])).toContain('| [`@turnwire/client/node`](client.node.md) | Start an agent');
});

test('an import path that the list of the API pages does not describe is refused', () => {
  expect(() => apiIndex(['@turnwire/new'])).toThrow('tools/site/reference.md does not describe @turnwire/new');
});

const editors = pageGroups().flatMap(({ paths }) => paths.filter((path) => path.startsWith('docs/guide/editors/')));

test.each(editors)('the JSON settings in %s are complete', (path) => {
  for (const [, settings = ''] of readFileSync(join(root, path), 'utf8').matchAll(/^```json\n([^]*?)^```/gm))
    expect(JSON.parse(settings)).toEqual(expect.any(Object));
});

const executablePath = findBrowserForTests();

describe.skipIf(executablePath === undefined)(`in Chromium${noBrowser(executablePath)}`, () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-site-'));
  // One page of each kind that needs no other program to be generated. `npm run site -- --examine` opens every page.
  const pages = ['README.md', 'docs/guide/chat.md', 'docs/protocol/methods.md', 'docs/code/LICENSE.md'];
  const paths = ['', 'guide/chat.html', 'protocol/methods.html', 'code/LICENSE.html'];

  beforeAll(async () => {
    const only = pages.flatMap((page) => ['--page', page]);
    const built = await captureNode(['--import', 'tsx', 'tools/site/main.ts', folder, '--base', '/docs/', ...only]);
    if (built.code !== 0) throw new Error(built.output);
    browser = await sharedBrowser(executablePath ?? '');
  });

  test.each(looks)(
    'pages below a path are accessible, fit the window and request nothing elsewhere, at $width pixels, $colorScheme',
    async (look) => {
      await using site = await serveSite(folder, '/docs/');
      const problems: string[] = [];
      for await (const found of examinePages(browser, { url: site.url, paths }, look)) problems.push(...found);
      expect(problems).toEqual([]);
    },
  );

  test('a search by keyboard leads to the section of a page', async () => {
    await using site = await serveSite(folder, '/docs/');
    await using context = await browser.newContext();
    context.setDefaultTimeout(within(15_000));
    const page = await context.newPage();
    await openPage(page, `${site.url}guide/chat.html`);
    await page.keyboard.press('/');
    await page.locator('#localsearch-input').fill('session/set_mode');
    await page.locator('#localsearch-list .result').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#/);
    expect(page.url()).toBe(`${site.url}protocol/methods.html#sessionset_mode`);
  });
});
