import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './run.mjs';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/**
 * Packs folders, as `npm pack` does. A package with `"turnwire": { "packedWhole": true }` includes those of ours that it depends on: while
 * they are in no registry, one line of a package.json can only name one tarball.
 * @param {readonly string[]} folders they include the dependencies of a package that is packed whole
 * @param {string} destination
 * @returns {number} the exit code
 */
export function packFolders(folders, destination) {
  mkdirSync(destination, { recursive: true });
  const status = pack(folders, destination);
  const whole = folders.map(manifestOf).filter(({ turnwire }) => turnwire?.packedWhole);
  return whole.reduce((code, manifest) => code || packWhole(manifest, destination), status);
}

function packWhole(manifest, destination) {
  const stage = mkdtempSync(join(tmpdir(), 'packed-whole-'));
  const needed = Object.keys(manifest.dependencies);
  unpack(manifest, { destination, folder: stage });
  const dependencies = {};
  for (const name of needed) {
    const folder = join(stage, 'node_modules', name);
    unpack({ name, version: manifest.version }, { destination, folder });
    // npm installs those of others only for the package itself.
    Object.assign(dependencies, manifestOf(folder).dependencies);
  }
  Object.assign(dependencies, manifest.dependencies);
  writeFileSync(
    join(stage, 'package.json'),
    JSON.stringify({ ...manifest, dependencies, bundleDependencies: needed }, undefined, 2),
  );
  const status = pack([stage], destination);
  rmSync(stage, { recursive: true });
  return status;
}

function unpack({ name, version }, { destination, folder }) {
  mkdirSync(folder, { recursive: true });
  const tarball = join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const { status } = spawnSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components', '1'], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${tarball} cannot be unpacked`);
}

function pack(folders, destination) {
  const { status } = spawnSync(npm, ['pack', '--silent', '--pack-destination', destination, ...folders], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: npm.endsWith('.cmd'),
  });
  return status ?? 1;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
