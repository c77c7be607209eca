// Makes a clone ready to run with nothing but Node and npm. It has no dependency, and syntax that an old Node can parse, so that it can
// report that Node is too old. It prints to stderr: stdout belongs to the program that runs next.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const oldestNode = [20, 19];
const thisClone = dirname(dirname(fileURLToPath(import.meta.url)));

/** Why the clone cannot be made ready. The message is for users. */
export class PrepareError extends Error {
  name = 'PrepareError';
}

/**
 * Installs what is missing and builds what is stale; costs a few milliseconds when neither is needed.
 * Safe to call from several processes at once. Rejects with PrepareError.
 * @param {{ build?: boolean, root?: string }} [options] `build: false` only installs
 */
export async function prepare({ build = true, root = thisClone } = {}) {
  refuseOldNode(process.versions.node);
  const ready = () => isInstalled(root) && (!build || isBuilt(root));
  if (ready()) return;
  try {
    await withLock(join(root, '.prepare.lock'), { onWait: sayWaiting }, async () => {
      if (!isInstalled(root)) await install(root);
      if (build && !isBuilt(root)) await compile(root);
    });
  } catch (error) {
    throw error.syscall === undefined ? error : new PrepareError(`${error.message}.\n${adviceFor(error.message)}`);
  }
}

/** `prepare` for a command: prints the error and ends the process. */
export async function prepareOrExit(options) {
  try {
    await prepare(options);
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    say(error.message);
    process.exit(1);
  }
}

export function refuseOldNode(version) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new PrepareError(
    `Node ${version} is too old: Turnwire needs ${oldestNode.join('.')} or newer (https://nodejs.org).`,
  );
}

/** Whether node_modules matches package-lock.json. npm writes a hidden lockfile there as the last step of an install. */
export function isInstalled(root) {
  const wanted = readLock(join(root, 'package-lock.json'));
  const present = readLock(noteOf(root));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, link, optional, devOptional }]) => {
    if (path === '' || !path.includes('node_modules/') || optional || devOptional) return true;
    const found = present[path];
    return found !== undefined && (link === true ? found.link === true : found.version === version);
  });
}

const noteOf = (root) => join(root, 'node_modules', '.package-lock.json');

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Whether all inputs of the compiler are older than the last successful build. */
export function isBuilt(root) {
  const built = statSync(stampOf(root), { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return false;
  const projects = projectsOf(root);
  return projects.every((project) => existsSync(join(project, 'dist'))) && newest(inputsOf(root, projects)) < built;
}

const stampOf = (root) => join(root, 'node_modules', '.turnwire-built');

function projectsOf(root) {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return references.map(({ path }) => join(root, path));
}

function inputsOf(root, projects) {
  const own = ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json'].map((file) => join(root, file));
  return projects.reduce((all, project) => {
    const configuration = ['tsconfig.json', 'package.json'].map((file) => join(project, file));
    return all.concat(configuration, tree(join(project, 'src')));
  }, own);
}

/** A folder and all files and folders in it. Folders count, because deleting a file changes only the date of its folder. */
function tree(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.reduce(
    (all, entry) => {
      const path = join(folder, entry.name);
      return all.concat(entry.isDirectory() ? tree(path) : path);
    },
    [folder],
  );
}

function newest(paths) {
  return Math.max(...paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity));
}

async function install(root) {
  const started = Date.now();
  const { code, output } = await withSigns(
    'installing dependencies with npm ci, once per change of package-lock.json',
    run(npm(), installArguments, root),
  );
  // On a full disk npm reports success although half of the files are empty: only its warnings show that.
  const isHalf = /TAR_ENTRY_ERROR|ENOSPC/.test(output);
  if (isHalf) rmSync(noteOf(root), { force: true });
  if (code !== 0 || isHalf) throw new PrepareError(explainInstall(code, output));
  say(`installed in ${seconds(started)}`);
}

/** Flags override the environment that `npm start --silent` sets, which would hide errors. */
const installArguments = [
  'ci',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=warn',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/** The npm that started us, or else the one on the path. */
function npm() {
  const own = process.env.npm_execpath;
  if (own && /npm-cli\.c?js$/.test(own)) return [process.execPath, own];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

export function explainInstall(code, output) {
  // npm prints the cause first, then its stack or its manual.
  const lines = output
    .split('\n')
    .filter((line) => !/^(npm error)?\s*(at .*)?$|^npm warn (deprecated|Unknown)/.test(line));
  return `npm ci failed (exit code ${code}).\n${[...new Set(lines)].slice(0, 12).join('\n')}\n\n${adviceFor(output)}`;
}

const diskFull = 'The disk is full: free about 500 MB and run the command again.';
const isDiskFull = (output) => /ENOSPC|no space left/i.test(output);

function adviceFor(output) {
  if (isDiskFull(output)) return diskFull;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|EHOSTUNREACH/.test(output)) {
    return 'The npm registry cannot be reached: check the network or proxy (npm config get registry) and run the command again.';
  }
  if (/EACCES|EPERM|EROFS/.test(output)) return 'This folder cannot be written: clone into a folder of your own.';
  if (/ENOENT.*npm|spawn npm/.test(output)) return 'npm was not found: it comes with Node, so check the PATH.';
  if (/EUSAGE/.test(output)) return 'package.json and package-lock.json do not agree: run npm install once.';
  return 'Run `npm ci` by hand to see the complete output.';
}

async function compile(root) {
  const started = Date.now();
  for (const project of projectsOf(root)) forgetDeletedBuild(project);
  await withSigns('building; the first time takes longest', build(root));
  stamp(root, started);
  say(`built in ${seconds(started)}`);
}

async function build(root) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await run([process.execPath, compiler], ['-b', '--pretty', 'false'], root);
  if (code !== 0) throw buildError(output);
  const bundling = await run([process.execPath, join(thisClone, 'tools', 'bundle-packages.mjs')], [root], root);
  if (bundling.code !== 0) throw buildError(bundling.output);
}

function buildError(output) {
  const advice = isDiskFull(output) ? diskFull : 'Fix the errors above, or see what changed: git status';
  return new PrepareError(`The build failed.\n${output.trim()}\n\n${advice}`);
}

/** The compiler trusts its build info, which is wrong if dist/ was deleted. */
function forgetDeletedBuild(project) {
  if (!existsSync(join(project, 'dist'))) rmSync(join(project, 'tsconfig.tsbuildinfo'), { force: true });
}

/** Dated when the build began, so that a file saved during the build counts as newer. */
function stamp(root, started) {
  writeFileSync(stampOf(root), '');
  utimesSync(stampOf(root), new Date(started), new Date(started));
}

/** Runs a command with no input; resolves with its exit code and all it printed. */
function run([command, ...first], rest, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...rest], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: command.endsWith('.cmd'),
    });
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(-1_000_000));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

/**
 * Prints what is being done, and that it continues: a dot every second at a terminal, else a line every half minute.
 * @template Value
 * @param {string} what
 * @param {Promise<Value>} work
 * @param {{ stream?: { readonly isTTY?: boolean, write(text: string): unknown }, second?: number }} [options]
 * @returns {Promise<Value>}
 */
export async function withSigns(what, work, { stream = process.stderr, second = 1_000 } = {}) {
  const began = Date.now();
  stream.write(`turnwire: ${what} …${stream.isTTY ? '' : '\n'}`);
  const sign = stream.isTTY
    ? () => stream.write('.')
    : () => stream.write(`turnwire: still at it after ${Math.round((Date.now() - began) / 1000)} s …\n`);
  const timer = setInterval(sign, second * (stream.isTTY ? 1 : 30));
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (stream.isTTY) stream.write('\n');
  }
}

function sayWaiting(owner) {
  say(`another run (process ${owner}) is preparing this clone; waiting for it …`);
}

function say(text) {
  process.stderr.write(`turnwire: ${text}\n`);
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
