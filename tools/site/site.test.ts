import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tokens } from 'marked';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { stableEdition } from '../../packages/protocol/schema/editions.ts';
import { methods } from '../../packages/protocol/src/methods.ts';
import { unstableMethods } from '../../packages/protocol/src/unstable/methods.ts';
import { findBrowserForTests, noBrowser } from '../test/find-browser.ts';
import { sharedBrowser } from '../test/shared-browser.ts';
import type { ApiModel } from './api-model.ts';
import { apiPages } from './api-pages.ts';
import { type ExaminedPage, examineSite, looks } from './examine.ts';
import { readDocument } from './markdown.ts';
import type { Page } from './page.ts';
import { allPages } from './pages.ts';
import { drawSite } from './site.ts';
import { writeSite } from './write-site.ts';

/** A module as typedoc describes it: a function, what it takes, and an error. */
const model: ApiModel = {
  children: [
    {
      id: 1,
      name: '@turnwire/client',
      kind: 2,
      children: [
        {
          id: 2,
          name: 'attach',
          kind: 64,
          signatures: [
            {
              id: 3,
              name: 'attach',
              kind: 4096,
              comment: {
                summary: [
                  { kind: 'text', text: 'Begins, with ' },
                  { kind: 'inline-tag', text: 'Options', target: 5 },
                ],
                blockTags: [{ tag: '@throws', content: [{ kind: 'code', text: '`timeout`' }] }],
              },
              parameters: [
                {
                  id: 4,
                  name: '__namedParameters',
                  kind: 32_768,
                  flags: { isOptional: true },
                  comment: { summary: [{ kind: 'text', text: 'a | b' }] },
                  type: { type: 'reference', name: 'Options', target: 5 },
                },
              ],
              type: {
                type: 'reference',
                name: 'Promise',
                typeArguments: [{ type: 'array', elementType: { type: 'reference', name: 'Attach', target: 7 } }],
              },
            },
          ],
        },
        {
          id: 5,
          name: 'Options',
          kind: 256,
          children: [
            {
              id: 6,
              name: 'silence',
              kind: 1024,
              flags: { isOptional: true },
              type: {
                type: 'union',
                types: [
                  { type: 'intrinsic', name: 'number' },
                  { type: 'literal', value: null },
                ],
              },
              comment: { summary: [{ kind: 'text', text: 'In milliseconds.' }] },
            },
            {
              id: 8,
              name: 'stack',
              kind: 1024,
              inheritedFrom: { target: -1 },
              type: { type: 'intrinsic', name: 'string' },
            },
          ],
        },
        { id: 7, name: 'Attach', kind: 2_097_152, type: { type: 'literal', value: 'now' } },
      ],
    },
  ],
};

const pages = allPages(model);
const site = drawSite(pages);

test('every link of the documentation leads somewhere, and every picture is there', () => {
  expect(site.problems).toEqual([]);
});

function page(path: string, text: string): Page {
  return { path, url: path.replace('.md', '.html'), text, group: 'Use' };
}

test('what is wrong in a page is named with the page', () => {
  const { problems } = drawSite([
    page(
      'docs/one.md',
      '# One\n\n[a](two.md) [b](two.md#there) [c](two.md#not-there) [d](three.md) [e](http://example.com)',
    ),
    page('docs/two.md', 'No title\n\n## There\n\n![picture](nowhere.png) [f](#there) [g](../package.json)'),
  ]);
  expect(problems).toEqual([
    'docs/one.md: the link two.md#not-there leads nowhere',
    'docs/one.md: the link three.md leads nowhere',
    'docs/one.md: the link http://example.com leads nowhere',
    'docs/two.md: it does not begin with a title',
    'docs/two.md: there is no picture nowhere.png',
  ]);
});

test('of two pages with one address the second is named: it would be all that is there', () => {
  const { problems } = drawSite([
    page('docs/one.md', '# One'),
    { ...page('one/README.md', '# Two'), url: 'docs/one.html' },
  ]);
  expect(problems).toEqual(['one/README.md: another page has its address, docs/one.html']);
});

test('a page with HTML in it is refused, but for comments', () => {
  expect(() => drawSite([page('one.md', '# One\n\n<!-- a comment -->\n\n<b>loud</b>')])).toThrow('HTML in a page: <b>');
});

test('a file of the repository that a page links to is shown on a page of its own', () => {
  const { files } = drawSite([page('docs/one.md', '# One\n\n[the tools](../tools/folders.mjs)')]);
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
    definitions: missing(Object.keys(stableEdition.definitions), headingsOf('types')).filter(
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

test('a package with its version is no link, and an address is', () => {
  const { files, problems } = drawSite([page('docs/one.md', '# One\n\nacpx@0.19.1, https://example.com')]);
  expect(problems).toEqual([]);
  expect(files.get('docs/one.html')).toContain(
    '<p>acpx@0.19.1, <a href="https://example.com">https://example.com</a></p>',
  );
});

test('a page loads one small script', () => {
  const scripts = site.files.get('index.html')?.match(/<script[^>]*>/g);
  expect(scripts).toEqual(['<script src="assets/site.js" data-root="." defer>']);
  // All of 100 KB would be allowed.
  expect(statSync(new URL('assets/site.js', import.meta.url)).size).toBeLessThan(10_000);
});

test('an export is described with what it takes, returns and throws, and a type leads to where it is described', () => {
  expect(pages.find(({ path }) => path === 'docs/api/client.md')?.text).toBe(
    [
      '# @turnwire/client',
      'Drive an agent over any transport: sessions, turns, permission policies, what the agent may use on this side.',
      '## Functions',
      '### attach',
      '```ts\nattach(options?: Options): Promise<Attach[]>\n```',
      'Begins, with [Options](client.md#options)',
      '**Throws** `timeout`',
      '| parameter | type | meaning |\n|---|---|---|\n' + '| `options?` | [Options](client.md#options) | a \\| b |',
      // The function has the same anchor, and comes first.
      String.raw`Returns Promise\<[Attach](client.md#attach-1)\[\]\>.`,
      '## Interfaces',
      '### Options',
      '| member | type | meaning |\n|---|---|---|\n| `silence?` | number \\| null | In milliseconds. |',
      '## Types',
      '### Attach',
      "```ts\ntype Attach = 'now'\n```",
    ].join('\n\n'),
  );
});

test('an import path that the front page of the reference does not describe is refused', () => {
  const unlisted = { children: [{ id: 1, name: '@turnwire/new', kind: 2 }] };
  expect(() => apiPages(unlisted)).toThrow('tools/site/reference.md does not say what @turnwire/new has');
});

const executablePath = findBrowserForTests();

describe.skipIf(executablePath === undefined)(`in Chromium${noBrowser(executablePath)}`, () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-site-'));

  beforeAll(async () => {
    writeSite(site, folder);
    browser = await sharedBrowser(executablePath ?? '');
  });

  const addressOf = (url: string): string => pathToFileURL(join(folder, url)).href;

  // One page of each kind; `npm run site -- --examine` opens all of them.
  const urls = [
    'index.html',
    'guide/permissions.html',
    'protocol/capabilities.html',
    'api/client.html',
    'code/examples/05-agent-for-others.ts.html',
  ];

  test.each(looks)(
    'axe finds nothing at $width pixels, $colorScheme, and nothing is wider than the window',
    async (look) => {
      const found: ExaminedPage[] = [];
      for await (const examined of examineSite(browser, { folder, urls }, look)) found.push(examined);
      const named = (url: string): string => `${url}, ${look.width} pixels, ${look.colorScheme}`;
      expect(found).toEqual(urls.map((url) => ({ name: named(url), problems: [] })));
    },
  );

  test('what is wrong in a page is said before the next page is opened', async () => {
    writeFileSync(
      join(folder, 'wrong.html'),
      '<html lang="en"><title>Wrong</title><main><h1 style="width: 9000px">Wide<img src="data:,"></h1></main>',
    );
    const examined = examineSite(
      browser,
      { folder, urls: ['wrong.html', 'not-there.html'] },
      { width: 360, colorScheme: 'light' },
    );
    expect(await examined.next()).toEqual({
      done: false,
      value: {
        name: 'wrong.html, 360 pixels, light',
        problems: ['image-alt (1): <img src="data:,">', 'it is wider than the window'],
      },
    });
    await expect(examined.next()).rejects.toThrow('not-there.html');
  });

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
