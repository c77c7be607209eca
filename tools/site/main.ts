// npm run site [-- FOLDER]: writes the documentation as a web site, by default to docs/dist. It can be opened from there, without a server.
// `--check` writes nothing, and says what is wrong in the pages, as every run does. The reference of the programming interface is part of
// it when `npm run check docs` has made it.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../run.mjs';
import { allPages } from './pages.ts';
import { drawSite } from './site.ts';
import { hasApi, writeSite } from './write-site.ts';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const site = drawSite(allPages(), { api: hasApi() });
for (const problem of site.problems) console.error(problem);
if (site.problems.length > 0) process.exitCode = 1;
if (!values.check) {
  const folder = resolve(process.env['INIT_CWD'] ?? '.', positionals[0] ?? join(root, 'docs/dist'));
  writeSite(site, folder);
  console.log(`${site.files.size} files in ${folder}; open ${join(folder, 'index.html')}`);
}
