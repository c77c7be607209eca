// node tools/folders.mjs [CLONE]: inside a package nothing imports back up. In every folder, its files and its folders with all that is in
// them import each other in one direction only, in the order that the README of the package names.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const clone = process.argv[2] ?? root;
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
    if (!/\.tsx?$/.test(file)) continue;
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

/** Contradictions between the folders of a package and the order that its README names. */
function misstatementsIn(source, names) {
  const readme = join(dirname(source), 'README.md');
  const text = existsSync(join(clone, readme)) ? readFileSync(join(clone, readme), 'utf8') : '';
  const [, line = ''] = /each only those after it: ([^.]*)\./.exec(text) ?? [];
  const order = [...line.matchAll(/`([^`]*)`/g)].map(([, name]) => name);
  const present = readdirSync(join(clone, source)).map((name) => name.replace(/\.tsx?$/, ''));
  const placeOf = (name) => order.indexOf(name.replace(/\.tsx?$/, ''));
  return [
    ...order.filter((name) => !present.includes(name)).map((name) => `${readme} names ${name}, which does not exist.`),
    ...[...names].flatMap(([one, others]) =>
      [...others]
        .filter((other) => placeOf(other) !== -1 && placeOf(other) < placeOf(one))
        .map((other) => `${source}: ${one} -> ${other} is against the order that ${readme} names.`),
    ),
  ];
}

const faults = sources.flatMap((source) => {
  const byFolder = neighboursIn(source);
  const circles = [...byFolder].flatMap(([folder, names]) => circlesIn(names).map((pair) => `${folder}: ${pair}`));
  return [
    ...circles.map((pair) => `${pair} closes a circle. Move the code that both need to a third file.`),
    ...misstatementsIn(source, byFolder.get(source) ?? new Map()),
  ];
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
