// node tools/bundle-program.mjs PROGRAM: bundles a program, unless that is done already, and prints where it is.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { requireOfModules, toCommonJs } from './common-js.mjs';
import { directImports } from './direct-imports.mjs';
import { lighterModules } from './lighter-modules.mjs';
import { withLock } from './lock.mjs';
import { root } from './run.mjs';

/** Bundles that were not used for this time are deleted. In milliseconds. */
const keptFor = 24 * 3_600_000;

/** Packages that look for files in their own folder. */
const external = ['@vscode/ripgrep'];

/** Loads the chunks of a bundle that was converted to CommonJS, for tests as for users of the command. */
const loader = fileURLToPath(new URL('../apps/cli/bin/load-compiled.js', import.meta.url));

/** A bundle is stale if one of these files changed. */
const bundlers = [
  'apps/cli/bin/load-compiled.js',
  ...['bundle-program', 'common-js', 'direct-imports', 'lighter-modules'].map((name) => `tools/${name}.mjs`),
];

/** Program to run by source, for all programs this process bundled. */
const known = new Map();

/**
 * Bundles a program of this repository from its sources with all dependencies, for tests that start it often. The bundle starts in a
 * tenth of the time that compiling the sources at each start takes, and needs no build. It is cached until one of its files changes.
 * A program with a top-level `await` or an export starts more slowly, because its bundle stays ES modules.
 * @param {string} main the program's source: an absolute path
 * @returns {string} a file that Node can run: an absolute path
 */
export function bundleProgram(main) {
  const program = known.get(main) ?? freshBundle(main) ?? bundleApart(main);
  known.set(main, program);
  return program;
}

/** Bundles in another process, because callers need the path synchronously: most name the program at the top of a file. */
function bundleApart(main) {
  const args = [fileURLToPath(import.meta.url), main];
  // The bundler runs for two seconds, and by default collects garbage for a fifth of that.
  const env = { GOGC: '400', ...process.env };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${main} cannot be bundled:\n${stderr}`);
  return stdout.trim();
}

const nameOf = (main) => basename(main, extname(main));
const digestOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The folder with the bundles of a program: one for each state of its sources. */
function cacheFolder(main) {
  return join(root, 'node_modules', '.cache', 'turnwire-programs', `${nameOf(main)}-${digestOf(main)}`);
}

/** The program in a bundle whose inputs did not change. */
function freshBundle(main) {
  const folder = finishedBundles(cacheFolder(main)).find(isFresh);
  if (folder === undefined) return undefined;
  const now = new Date();
  utimesSync(folder, now, now);
  return programIn(folder, main);
}

/** The file of a bundle that Node runs. */
function programIn(folder, main) {
  const compiled = join(folder, `${nameOf(main)}.cjs`);
  return existsSync(compiled) ? compiled : join(folder, `${nameOf(main)}.mjs`);
}

/** The name of a finished bundle is the digest of its inputs. */
function finishedBundles(cache) {
  mkdirSync(cache, { recursive: true });
  return readdirSync(cache)
    .filter((name) => /^[0-9a-f]{12}$/.test(name))
    .map((name) => join(cache, name));
}

function isFresh(folder) {
  const inputs = JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8'));
  return basename(folder) === digestOf(stateOf(inputs));
}

/** Paths, times and sizes of files: it changes when one of the files does. */
function stateOf(inputs) {
  return inputs
    .map((path) => {
      const { mtimeMs, size } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {};
      return `${path} ${mtimeMs} ${size}\n`;
    })
    .join('');
}

/** Bundles the program into a draft, which is renamed when it is complete. */
async function bundle(main) {
  const cache = cacheFolder(main);
  dropOld(cache);
  const draft = mkdtempSync(join(cache, 'draft-'));
  const started = Date.now();
  const inputs = ['package-lock.json', ...bundlers, ...(await build(main, draft))];
  writeFileSync(join(draft, 'inputs.json'), JSON.stringify(inputs));
  // If a source changed during the build, the draft keeps its name, and the next caller bundles again.
  const isChanged = inputs.some((path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs >= started);
  const folder = isChanged ? draft : join(cache, digestOf(stateOf(inputs)));
  if (!isChanged) renameSync(draft, folder);
  return programIn(folder, main);
}

/** Deletes unused bundles and unfinished drafts. */
function dropOld(cache) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const usedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (usedAt < Date.now() - keptFor) rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a bundle; resolves with its input files. */
async function build(main, outdir) {
  const esbuild = await import('esbuild');
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [main],
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    // Node reads a third less at each start. Names are kept for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    metafile: true,
    external,
    plugins: [directImports(withSourceUrl), lighterModules],
    conditions: ['@turnwire/source'],
    mainFields: ['module', 'main'],
    banner: { js: requireOfModules },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  const chunks = outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
  const hasExports = Object.values(metafile.outputs).some(
    ({ entryPoint, exports }) => entryPoint === relative(root, main) && exports.length > 0,
  );
  const scripts = hasExports
    ? undefined
    : await Promise.all(chunks.map((chunk) => converted(esbuild, chunk))).catch(() => undefined);
  if (scripts === undefined) writeModules(chunks, main, outdir);
  else {
    for (const { name, code } of scripts)
      writeFileSync(join(outdir, name === `${nameOf(main)}.js` ? 'program.js' : name), code);
    writeFileSync(join(outdir, `${nameOf(main)}.cjs`), "require('./load-compiled.js')(__dirname)('program.js');\n");
    copyFileSync(loader, join(outdir, basename(loader)));
    writeFileSync(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  }
  // Tests read which modules are in which chunk.
  writeFileSync(join(outdir, 'outputs.json'), JSON.stringify(metafile.outputs));
  return Object.keys(metafile.inputs);
}

async function converted(esbuild, { name, text }) {
  return {
    name,
    code: await toCommonJs(esbuild, text, { minifyWhitespace: true, lineLimit: 200, legalComments: 'none' }),
  };
}

function writeModules(chunks, main, outdir) {
  for (const { name, text } of chunks)
    writeFileSync(join(outdir, name === `${nameOf(main)}.js` ? `${nameOf(main)}.mjs` : name), text);
  writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }\n');
}

/** Sources find other files relative to their own path, not to the bundle. */
const withSourceUrl = (text, path) => text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , main] = process.argv;
  const cache = cacheFolder(main);
  mkdirSync(cache, { recursive: true });
  const program = await withLock(`${cache}.lock`, {}, async () => freshBundle(main) ?? (await bundle(main)));
  process.stdout.write(`${program}\n`);
}
