// node tools/bundle-packages.mjs [CLONE]: writes the code of every package, one file per entry. The compiler writes only types.
// Why: docs/decisions/0008-one-file-per-entry.md and docs/decisions/0016-what-is-installed.md.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage, copyPage } from './build-page.mjs';
import { bundledPackages } from './bundled-packages.mjs';
import { requireOfModules, toCommonJs } from './common-js.mjs';
import { directImports } from './direct-imports.mjs';
import { lighterModules } from './lighter-modules.mjs';
import { licenceTexts, softwareBill } from './bundled-notices.mjs';

const clone = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
const { references } = JSON.parse(readFileSync(join(clone, 'tsconfig.json'), 'utf8'));
const packages = references
  .map(({ path }) => join(clone, path))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .map((each) => ({ ...each, entryPoints: entriesOf(each) }))
  .filter(({ entryPoints }) => entryPoints.length > 0);

if (packages.length > 0) {
  // Imported only here: a clone without packages needs no bundler.
  const esbuild = await import('esbuild');
  const page = await buildPage(esbuild.build, clone);
  await Promise.all(packages.map((each) => bundle(esbuild, { ...each, page: each.manifest.turnwire?.page && page })));
}

/** The entry points of a package: its exports, and the `main.ts` that people run. */
function entriesOf({ folder, manifest: { exports = {} } }) {
  // An export that is a plain string runs as it is, without another source.
  const built = Object.values(exports).filter((entry) => typeof entry !== 'string');
  const sources = built.map((entry) => join(folder, entry['@turnwire/source']));
  const main = join(folder, 'src', 'main.ts');
  return existsSync(main) ? [...sources, main] : sources;
}

/**
 * Bundles a package. Its dependencies stay imports, because two copies of a class are two classes. A package with
 * `"turnwire": { "bundled": true }` has few dependencies: the bundle includes all others, our own packages from their sources; with
 * `"page": true` it also includes the web client. A package with `"turnwire": { "selfContained": true }` includes our other packages from their
 * sources, and its entries load one file for everything that the first entry needs.
 */
async function bundle(esbuild, { folder, manifest, entryPoints, page }) {
  const outdir = join(folder, 'dist');
  deleteBundles(outdir);
  const { bundled: isBundled = false, selfContained: isSelfContained = false } = manifest.turnwire ?? {};
  const includesOurs = isBundled || isSelfContained;
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
    (name) => !(isSelfContained && name.startsWith('@turnwire/')),
  );
  const isLoaded = existsSync(join(folder, 'bin/load-compiled.js'));
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: clone,
    entryPoints,
    outdir,
    write: !isLoaded,
    outbase: join(folder, 'src'),
    // Chunks are in the folder of the entries, so that paths relative to `import.meta.url` stay valid.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    metafile: true,
    external: installed.flatMap((name) => [name, `${name}/*`]),
    ...(includesOurs && { conditions: ['@turnwire/source', 'module'] }),
    ...(isBundled && { banner: { js: requireOfModules } }),
    mainFields: ['module', 'main'],
    plugins: [directImports(isSelfContained ? loadFirst(entryPoints) : undefined), lighterModules],
    // The import by which an entry loads the first one has this effect only on chunks.
    logOverride: { 'ignored-bare-import': 'silent' },
    // `writeNotices` writes the licences of bundled packages.
    legalComments: 'none',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The package of a bundled program does not contain the sources.
    sourcemap: !isBundled,
    // Sources of other packages are not at the same place once they are installed.
    sourcesContent: isSelfContained,
    logLevel: 'warning',
  });
  const outputs = { ...metafile.outputs, ...page?.metafile.outputs };
  const bundled = bundledPackages({ outputs }, { clone, folder });
  if (page) copyPage(page.page, join(outdir, 'page'));
  if (isLoaded) await writeScripts(esbuild, outdir, { outputFiles, metafile });
  if (isBundled) writeNotices({ clone, folder, outdir, manifest, bundled });
  else
    refuseUndeclared(
      manifest.name,
      bundled.filter(({ isOurs }) => !(isSelfContained && isOurs)),
    );
}

/**
 * Writes the chunks as scripts for the loader of the package, which starts them faster than modules. A worker may import one as Node does. Each
 * file is written once: if it were converted on disk, another build at the same time would convert it again.
 */
async function writeScripts(esbuild, outdir, { outputFiles, metafile: { outputs } }) {
  mkdirSync(outdir, { recursive: true });
  const write = async ({ path, text }) => {
    const isDense = isMostlyInstalled(outputs[relative(clone, path).replaceAll('\\', '/')]);
    writeFileSync(path, await toCommonJs(esbuild, text, isDense ? { minifyWhitespace: true, lineLimit: 200 } : {}));
  };
  await Promise.all(outputFiles.map(write));
  writeFileSync(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  // The scripts of the page stay modules.
  if (existsSync(join(outdir, 'page'))) writeFileSync(join(outdir, 'page', 'package.json'), '{ "type": "module" }\n');
}

/** Whether most code of a chunk is from other packages. Its white space would be a sixth of the command's code. */
function isMostlyInstalled({ inputs, bytes }) {
  const installed = Object.entries(inputs).filter(([path]) => path.includes('node_modules/'));
  return installed.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) > bytes / 2;
}

/**
 * Makes every entry import the first one. The modules that the first entry needs are then needed by all, so they are one chunk instead of
 * a dozen: Node spends about half a millisecond on each file.
 */
function loadFirst([first, ...others]) {
  return (text, path) => (others.includes(path) ? `${text}\nimport ${JSON.stringify(first)};` : text);
}

function refuseUndeclared(name, bundled) {
  if (bundled.length === 0) return;
  const names = bundled.map(({ manifest }) => manifest.name).join(', ');
  throw new Error(
    `${name} imports packages that are not in its dependencies: ${names}. Add them to its package.json, or remove the imports.`,
  );
}

/** Writes the licences of bundled packages, the bill of materials, and the programs of our packages that are run as they are. */
function writeNotices({ clone, folder, outdir, manifest, bundled }) {
  writeFileSync(join(outdir, 'third-party-licenses.txt'), licenceTexts(bundled));
  const bill = softwareBill({ clone, folder, manifest, bundled });
  writeFileSync(join(outdir, 'sbom.cdx.json'), `${JSON.stringify(bill)}\n`);
  rmSync(join(outdir, 'assets'), { recursive: true, force: true });
  for (const { isOurs, folder: from } of bundled)
    if (isOurs && existsSync(join(from, 'assets')))
      cpSync(join(from, 'assets'), join(outdir, 'assets'), { recursive: true });
}

/** Deletes earlier bundles and their compiled code: chunk names have a hash, so a new build does not overwrite old chunks. */
function deleteBundles(outdir) {
  for (const entry of existsSync(outdir) ? readdirSync(outdir, { recursive: true }) : []) {
    if (/\.js(\.map|\..*compiled.*)?$/.test(entry) && !entry.startsWith('page'))
      rmSync(join(outdir, entry), { force: true });
  }
}
