// npm run site [-- FOLDER] [--examine]: writes the documentation as a web site, by default to docs/dist. It can be opened from there,
// without a server. `--check` writes nothing, and says what is wrong in the pages, as every run does; `--examine` also opens every page in
// Chromium, at three widths, and lets axe look at it. The reference of the programming interface is part of it when `npm run check docs`
// has made it.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../run.mjs';
import { apiModel } from './api-model.ts';
import { type WrittenSite, examineEveryPage, looks } from './examine.ts';
import { allPages } from './pages.ts';
import { drawSite } from './site.ts';
import { writeSite } from './write-site.ts';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false }, examine: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const site = drawSite(allPages(apiModel()));
report(site.problems);
if (!values.check) {
  const folder = resolve(process.env['INIT_CWD'] ?? '.', positionals[0] ?? join(root, 'docs/dist'));
  writeSite(site, folder);
  console.log(`${site.files.size} files in ${folder}; open ${join(folder, 'index.html')}`);
  const urls = [...site.files.keys()].filter((url) => url.endsWith('.html'));
  if (values.examine) await examine({ folder, urls });
}

/** Says of each page what is wrong in it as soon as that is known. */
async function examine(written: WrittenSite): Promise<void> {
  const count = written.urls.length * looks.length;
  let examined = 0;
  for await (const { name, problems } of examineEveryPage(written)) {
    console.log(`${++examined}/${count} ${name}: ${problems.length === 0 ? 'ok' : `${problems.length} found`}`);
    report(problems.map((problem) => `${name}: ${problem}`));
  }
}

function report(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
