import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The licences of bundled third-party packages, which have to be distributed with their code. */
export function licenceTexts(bundled) {
  const parts = bundled.filter(({ isOurs }) => !isOurs).map(licenceOf);
  return ['This package holds code of the packages below, under their own licences.', ...parts].join(`\n\n${line}\n\n`);
}

const line = '-'.repeat(100);

function licenceOf({ folder, manifest: { name, version, license } }) {
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]es?|copying|notice)(?:$|[.-])/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0)
    texts.push(
      `It has no file with its licence${license === 'Apache-2.0' ? ', which is the text in our file LICENSE' : ''}.`,
    );
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/**
 * The bill of materials of a package in the format CycloneDX 1.5: the packages that are bundled, and those that npm installs with it. Without
 * a date, so that the same code gives the same text.
 */
export function softwareBill({ clone, folder, manifest, bundled }) {
  const { packages: lock } = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8'));
  const installed = installedWith(manifest, { clone, folder, lock });
  const parts = [...bundled.map((part) => ({ ...part, isBundled: true })), ...installed];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', ...identity(manifest) } },
    components: parts.map(({ folder: at, manifest: part, isBundled = false, isOptional = false }) => ({
      type: 'library',
      ...identity(part),
      scope: isOptional ? 'optional' : 'required',
      ...hashesOf(lock[keyOf(clone, at)]),
      properties: [{ name: 'turnwire:place', value: isBundled ? 'bundled' : 'installed' }],
    })),
    dependencies: [{ folder, manifest }, ...parts].map((part) => ({
      ref: reference(part.manifest),
      dependsOn: dependenciesOf(part, parts),
    })),
  };
}

function identity({ name, version, license }) {
  return {
    'bom-ref': reference({ name, version }),
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }],
  };
}

function reference({ name, version }) {
  return `${name}@${version}`;
}

/** The hash in the lockfile, which npm verified when it downloaded the package. */
function hashesOf(locked) {
  const [algorithm, digest] = locked?.integrity?.split('-') ?? [];
  if (algorithm !== 'sha512') return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
}

function keyOf(clone, folder) {
  return relative(clone, folder).split(sep).join('/');
}

/** The packages that npm installs: the dependencies, and theirs. */
function installedWith(manifest, { clone, folder, lock }) {
  const found = new Map();
  const add = (from, { dependencies = {}, optionalDependencies = {} }, isOptional) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const key = lockedAt(lock, from, name);
      if (key === undefined || found.has(key)) continue;
      const { version, license, resolved, link, ...locked } = lock[key];
      const path = link ? resolved : key;
      const part = { name, version, license, ...locked, ...(link && readManifest(join(clone, path))) };
      const mayBeAbsent = isOptional || name in optionalDependencies;
      found.set(key, { folder: join(clone, path), manifest: part, isOptional: mayBeAbsent });
      add(path, part, mayBeAbsent);
    }
  };
  add(keyOf(clone, folder), manifest, false);
  return [...found.values()];
}

/** Searches as Node does: in the folder of the package, then in each parent. */
function lockedAt(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const key = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock[key] !== undefined) return key;
    if (folder === '') return undefined;
  }
}

function readManifest(folder) {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** If several versions of a package are installed, the one in the dependent's own folder counts. */
function dependenciesOf({ folder, manifest }, parts) {
  const { dependencies, optionalDependencies, devDependencies, turnwire } = manifest;
  const names = Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...(turnwire?.bundled === true && devDependencies),
  });
  const found = names.flatMap((name) => {
    const named = parts.filter((part) => part.manifest.name === name);
    return named.find((part) => part.folder.startsWith(folder)) ?? named[0] ?? [];
  });
  return [...new Set(found.map((part) => reference(part.manifest)))].toSorted();
}
