// node tools/folders.mjs [--write] [CLONE]: inside a package nothing imports back up. In every folder, its files and its folders with all that is in
// them import each other in one direction only. What is not so yet stands in tools/folders.json and may only get less: --write takes out
// what is no longer needed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const isWriting = process.argv.includes('--write');
const clone = process.argv.slice(2).find((word) => word !== '--write') ?? root;
const listPath = join(clone, 'tools', 'folders.json');
const sources = [
  ...['packages', 'apps'].flatMap((parent) => foldersIn(parent).map((name) => `${parent}/${name}/src`)),
  'conformance/src',
].filter((source) => existsSync(join(clone, source)));

function foldersIn(parent) {
  const folder = join(clone, parent);
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Which neighbours in a folder import which: folder → name → names. */
function neighboursIn(source) {
  const byFolder = new Map();
  for (const file of readdirSync(join(clone, source), { recursive: true })) {
    if (!file.endsWith('.ts') || file.includes('generated')) continue;
    const text = readFileSync(join(clone, source, file), 'utf8');
    for (const [, target] of text.matchAll(/(?:from |import\()'(\.[^']*)'/g))
      addNeighbours(byFolder, join(source, file), join(source, dirname(file), target));
  }
  return byFolder;
}

function addNeighbours(byFolder, importer, imported) {
  const [one, other] = [importer.split('/'), imported.split('/')];
  const at = one.findIndex((name, index) => name !== other[index]);
  const folder = one.slice(0, at).join('/');
  const names = byFolder.get(folder) ?? new Map();
  byFolder.set(folder, names.set(one[at], (names.get(one[at]) ?? new Set()).add(other[at])));
}

/** The imports between neighbours that are part of a circle, as `one -> other`. */
function circlesIn(names) {
  const reaches = (start, goal, seen = new Set([start])) =>
    [...(names.get(start) ?? [])].some(
      (next) => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
    );
  return [...names].flatMap(([one, others]) =>
    [...others].filter((other) => reaches(other, one)).map((other) => `${one} -> ${other}`),
  );
}

const found = sources
  .flatMap((source) => [...neighboursIn(source)])
  .flatMap(([folder, names]) => circlesIn(names).map((pair) => `${folder}: ${pair}`));
const known = JSON.parse(readFileSync(listPath, 'utf8'));
const added = found.filter((each) => !known.includes(each));
const gone = known.filter((each) => !found.includes(each));
for (const each of added)
  console.error(`${each} closes a circle. Move what both need to where neither imports the other.`);
if (isWriting)
  writeFileSync(
    listPath,
    `${JSON.stringify(
      known.filter((each) => found.includes(each)),
      null,
      2,
    )}\n`,
  );
else for (const each of gone) console.error(`${each} is part of no circle any more: node tools/folders.mjs --write`);
if (added.length > 0 || (gone.length > 0 && !isWriting)) process.exitCode = 1;
