// npm run site [-- FOLDER] [--base /PATH/] [--page FILE]… [--examine]: writes the documentation as a web site, by default to docs/dist.
// `--base` is the path where it is served, `/` by default. A link that leads nowhere is an error, unless `--page` names the only pages to
// write. `--examine` opens every page in Chromium at three widths, which takes minutes. The API reference is part of the site after
// `npm run check docs`. `npx --no vitepress dev tools/site` shows a guide while it is edited.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { build } from 'vitepress';
import { root } from '../run.mjs';
import { findBrowser, noBrowser } from '../test/find-browser.ts';
import { deadLinksIn } from './dead-links.ts';
import { examinePages, looks, serveSite } from './examine.ts';
import { generatePages } from './generated-pages.ts';

const { values, positionals } = parseArgs({
  options: {
    base: { type: 'string', default: '/' },
    page: { type: 'string', multiple: true },
    examine: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const { base, page: only } = values;
const folder = resolve(process.env['INIT_CWD'] ?? '.', positionals[0] ?? join(root, 'docs/dist'));
generatePages();
await build(join(root, 'tools/site'), {
  base,
  outDir: folder,
  onAfterConfigResolve: (config) => {
    if (only) config.pages = config.pages.filter((path) => only.includes(path));
  },
});
if (!only) report(deadLinksIn(folder, base));
if (values.examine) await examineEveryPage();

async function examineEveryPage(): Promise<void> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(`No page can be examined${noBrowser(executablePath)}`);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  await using site = await serveSite(folder, base);
  await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  for (const look of looks) {
    for await (const problems of examinePages(browser, { url: site.url, paths }, look)) report(problems);
  }
}

function report(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
