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
import { directImports } from './direct-imports.mjs';
import { lighterModules } from './lighter-modules.mjs';
import { withLock } from './lock.mjs';
import { root } from './run.mjs';

/** A bundle that nobody has asked for in this time is deleted, in milliseconds. */
const keptFor = 24 * 3_600_000;

/** What looks for something beside itself. */
const external = ['@vscode/ripgrep'];

/** What others wrote for CommonJS asks for it. */
const requireOfModules =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Where a bundle that was converted begins. */
const beginning = fileURLToPath(new URL('start-compiled.cjs', import.meta.url));

/** What makes bundles. */
const ours = ['bundle-program.mjs', 'direct-imports.mjs', 'lighter-modules.mjs', 'start-compiled.cjs'].map(
  (name) => `tools/${name}`,
);

/** The bundles this process has asked for. */
const known = new Map();

/**
 * Bundles a program of this repository from its sources with all it needs, for tests that start it often: the bundle starts in a
 * tenth of the time that compiling the sources at each start takes, and nothing has to be built first. It is kept until one of its
 * files changes. What awaits at its top level, or exports something, starts slower
 * than other programs: it stays ES modules.
 * @param {string} main the program's source: an absolute path
 * @returns {string} what Node can run: an absolute path
 */
export function bundleProgram(main) {
  const program = known.get(main) ?? freshBundle(main) ?? bundleApart(main);
  known.set(main, program);
  return program;
}

/** In a process of its own, so that callers need not wait for a promise: most name the program at the top of a file. */
function bundleApart(main) {
  const words = [fileURLToPath(import.meta.url), main];
  // The bundler lives for two seconds, of which it would collect garbage in one fifth.
  const env = { GOGC: '400', ...process.env };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${main} cannot be bundled:\n${stderr}`);
  return stdout.trim();
}

const nameOf = (main) => basename(main, extname(main));
const digestOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Where the bundles of a program are: one for each state of its sources. */
function shelfOf(main) {
  return join(root, 'node_modules', '.cache', 'turnwire-programs', `${nameOf(main)}-${digestOf(main)}`);
}

/** The program in a bundle whose inputs are as they were. */
function freshBundle(main) {
  const folder = bundlesOn(shelfOf(main)).find(isFresh);
  if (folder === undefined) return undefined;
  const now = new Date();
  utimesSync(folder, now, now);
  return programIn(folder, main);
}

/** What Node runs of a bundle. */
function programIn(folder, main) {
  const compiled = join(folder, `${nameOf(main)}.cjs`);
  return existsSync(compiled) ? compiled : join(folder, `${nameOf(main)}.mjs`);
}

/** Finished bundles: each is named for the state of its inputs. */
function bundlesOn(shelf) {
  mkdirSync(shelf, { recursive: true });
  return readdirSync(shelf)
    .filter((name) => /^[0-9a-f]{12}$/.test(name))
    .map((name) => join(shelf, name));
}

function isFresh(folder) {
  const inputs = JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8'));
  return basename(folder) === digestOf(stateOf(inputs));
}

/** Changes when one of the files does. */
function stateOf(inputs) {
  return inputs
    .map((path) => {
      const { mtimeMs, size } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {};
      return `${path} ${mtimeMs} ${size}\n`;
    })
    .join('');
}

/** Bundles the program into a draft, which gets its name once it is whole. */
async function bundle(main) {
  const shelf = shelfOf(main);
  dropOld(shelf);
  const draft = mkdtempSync(join(shelf, 'draft-'));
  const started = Date.now();
  const inputs = ['package-lock.json', ...ours, ...(await build(main, draft))];
  writeFileSync(join(draft, 'inputs.json'), JSON.stringify(inputs));
  // What was changed meanwhile is bundled again for whoever asks next.
  const isChanged = inputs.some((path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs >= started);
  const folder = isChanged ? draft : join(shelf, digestOf(stateOf(inputs)));
  if (!isChanged) renameSync(draft, folder);
  return programIn(folder, main);
}

/** Bundles that nobody needs, and drafts that nobody finished. */
function dropOld(shelf) {
  for (const name of readdirSync(shelf)) {
    const folder = join(shelf, name);
    const usedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (usedAt < Date.now() - keptFor) rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the files it was made of. */
async function build(main, outdir) {
  const esbuild = await import('esbuild');
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [main],
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    // A third less to read at each start. Names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    metafile: true,
    external,
    plugins: [directImports(besideSource), lighterModules],
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
  const converted = hasExports
    ? undefined
    : await Promise.all(chunks.map((chunk) => toCommonJs(esbuild, chunk))).catch(() => undefined);
  if (converted === undefined) writeModules(chunks, main, outdir);
  else {
    for (const { name, code } of converted)
      writeFileSync(join(outdir, name === `${nameOf(main)}.js` ? 'program.js' : name), code);
    copyFileSync(beginning, join(outdir, `${nameOf(main)}.cjs`));
    writeFileSync(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  }
  // For who wants to know what is read with what.
  writeFileSync(join(outdir, 'outputs.json'), JSON.stringify(metafile.outputs));
  return Object.keys(metafile.inputs);
}

/** Rejects if the chunk awaits at its top level. */
async function toCommonJs(esbuild, { name, text }) {
  const { code } = await esbuild.transform(text.replace(requireOfModules, ''), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    lineLimit: 200,
    define: { 'import.meta.url': 'require.url' },
    logLevel: 'silent',
  });
  return { name, code: code.replaceAll(lateImport, 'require.import($1)') };
}

/** Scripts have no way of their own to load something late. */
const lateImport = /\bimport\(("[^"]+"|[\w$]+)\)/g;

function writeModules(chunks, main, outdir) {
  for (const { name, text } of chunks)
    writeFileSync(join(outdir, name === `${nameOf(main)}.js` ? `${nameOf(main)}.mjs` : name), text);
  writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }\n');
}

/** What one of our sources finds beside itself is beside the source, not beside the bundle. */
const besideSource = (text, path) => text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , main] = process.argv;
  const shelf = shelfOf(main);
  mkdirSync(shelf, { recursive: true });
  const program = await withLock(`${shelf}.lock`, {}, async () => freshBundle(main) ?? (await bundle(main)));
  process.stdout.write(`${program}\n`);
}
