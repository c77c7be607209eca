// npm sometimes leaves optional packages of other platforms out of package-lock.json, and then `npm ci` refuses the lockfile on a fresh
// clone. This adds them from the optional dependencies of their parents; --check only reports them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const file = join(root, 'package-lock.json');
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = Object.entries(lock.packages).flatMap(([path, parent]) => missingOf(path, parent));

if (process.argv.includes('--check')) {
  for (const [path, { version }] of missing) console.log(`package-lock.json lacks ${path} ${version}`);
  if (missing.length > 0) console.log('Run: node tools/complete-lockfile.mjs');
  process.exitCode = missing.length === 0 ? 0 : 1;
} else if (missing.length > 0) {
  lock.packages = Object.fromEntries(
    [...Object.entries(lock.packages), ...missing].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`added ${missing.length} optional packages of other platforms`);
}

function missingOf(path, { optionalDependencies = {}, dev, engines }) {
  return Object.entries(optionalDependencies)
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => [
      `node_modules/${name}`,
      { version, ...platformOf(name), ...(dev && { dev }), optional: true, engines },
    ]);
}

/** Searches as Node does: in the folder of the parent, then in each folder above it. */
function isLocked(path, name) {
  if (lock.packages[join(path, 'node_modules', name)]) return true;
  return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
}

/** The names of such packages contain their platform; npm skips them on others. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const named = (list) => list.filter((word) => words.includes(word));
  const [os, cpu] = [named(systems), named(processors)];
  const libc = words.flatMap((word) => (word.startsWith('musl') ? ['musl'] : word.startsWith('gnu') ? ['glibc'] : []));
  return Object.fromEntries(Object.entries({ cpu, os, libc }).filter(([, values]) => values.length > 0));
}
