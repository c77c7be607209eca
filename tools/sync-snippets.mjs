// Keeps the code in our pages up to date: a fenced block under `<!-- snippet: PATH -->` or `<!-- snippet: PATH#REGION -->` is
// a copy of that file, or of its lines between `// #region REGION` and `// #endregion`, which is compiled and run.
// Rewrites the pages; with --check it only reports those that are out of date.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const snippet = /(?<=<!-- snippet: (\S+?)(?:#(\S+))? -->\n```\w*\n)[^]*?(?=```\n)/g;

const check = process.argv.includes('--check');
for (const page of pages()) {
  const before = readFileSync(join(root, page), 'utf8');
  const after = before.replace(snippet, (_, path, region) => excerpt(path, region));
  if (after === before) continue;
  if (!check) writeFileSync(join(root, page), after);
  console.log(check ? `${page}: its code is out of date; run: node tools/sync-snippets.mjs` : `${page}: updated`);
  if (check) process.exitCode = 1;
}

function pages() {
  const guide = readdirSync(join(root, 'docs/guide'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/guide/${name}`);
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  return ['README.md', ...guide, ...packages].filter((page) => existsSync(join(root, page)));
}

function excerpt(path, region) {
  const text = readFileSync(join(root, path), 'utf8');
  if (region === undefined) return text;
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === '// #endregion');
  if (start < 0 || length < 0) throw new Error(`${path} has no region ${region}`);
  return `${unindent(lines.slice(start + 1, start + 1 + length)).join('\n')}\n`;
}

function unindent(lines) {
  const depth = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(depth));
}
