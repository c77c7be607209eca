import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * The packages with code in a bundle, sorted by name, without the bundled package itself.
 * @param metafile the report of esbuild
 * @returns {readonly { readonly folder: string, readonly isOurs: boolean, readonly manifest: Record<string, any> }[]}
 */
export function bundledPackages(metafile, { clone, folder }) {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [join(clone, path)] : [])),
  );
  const folders = new Set(used.map(packageFolder).filter((each) => each !== folder));
  return [...folders]
    .map((each) => ({
      folder: each,
      isOurs: !each.includes(`${sep}node_modules${sep}`),
      manifest: JSON.parse(readFileSync(join(each, 'package.json'), 'utf8')),
    }))
    .toSorted((one, other) => compare(one.manifest.name, other.manifest.name) || compare(one.folder, other.folder));
}

/** Some packages have further manifests in inner folders, without a version, which only set the module type. */
function packageFolder(path) {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined) return folder;
  }
  throw new Error(`${path} belongs to no package`);
}

function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}
