// node tools/bundle-packages.mjs [CLONE]: writes the code of every package, one file per entry. The compiler writes only types.
// Why: docs/decisions/0008-one-file-per-entry.md.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const clone = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
const { references } = JSON.parse(readFileSync(join(clone, 'tsconfig.json'), 'utf8'));
const packages = references
  .map(({ path }) => join(clone, path))
  .map((folder) => ({ folder, entryPoints: entriesOf(folder) }))
  .filter(({ entryPoints }) => entryPoints.length > 0);

if (packages.length > 0) {
  // Imported only here: a clone without packages needs no bundler.
  const { build } = await import('esbuild');
  await Promise.all(packages.map(({ folder, entryPoints }) => bundle(build, folder, entryPoints)));
}

/** What others import, by the package's exports, and what people run, its main.ts. */
function entriesOf(folder) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // What is run as it is has no source but itself.
  const built = Object.values(exports).filter((entry) => typeof entry !== 'string');
  const sources = built.map((entry) => join(folder, entry['@turnwire/source']));
  const main = join(folder, 'src', 'main.ts');
  return existsSync(main) ? [...sources, main] : sources;
}

/** Other packages, ours included, stay imports: two copies of a class would be two classes. */
async function bundle(build, folder, entryPoints) {
  const outdir = join(folder, 'dist');
  forgetCode(outdir);
  await build({
    entryPoints,
    outdir,
    outbase: join(folder, 'src'),
    // Beside the entries, so that what the code says of its own place stays true.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
}

/** Chunks are named for their content, so old ones would stay for ever. */
function forgetCode(outdir) {
  for (const entry of existsSync(outdir) ? readdirSync(outdir, { recursive: true }) : []) {
    if (/\.js(\.map)?$/.test(entry)) rmSync(join(outdir, entry), { force: true });
  }
}
