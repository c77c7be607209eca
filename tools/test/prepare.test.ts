import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { explainInstall, isBuilt, isInstalled, refuseOldNode, withSigns } from '../prepare.mjs';
import { root } from '../run.mjs';

const source = 'export const one: number = 1;\n';

/** Two clones to copy: a fresh one and a prepared one. */
let fresh: string;
let prepared: string;
let clone: string;

const emptyFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'turnwire-clone-')));
const copy = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });

beforeAll(async () => {
  [fresh, prepared] = [emptyFolder(), emptyFolder()];
  writeClone(fresh);
  copy(fresh, prepared);
  await prepareInProcess(prepared);
});

afterAll(() => {
  for (const folder of [fresh, prepared]) rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  clone = emptyFolder();
});

afterEach(() => {
  rmSync(clone, { recursive: true, force: true });
});

/** A small clone: one package whose only dependency is a compiler, which runs the real one and which npm installs from a folder. */
function writeClone(folder: string): void {
  mkdirSync(join(folder, 'compiler/bin'), { recursive: true });
  writeJson(join(folder, 'compiler/package.json'), { name: 'typescript', version: '1.0.0', type: 'module' });
  const compiler = pathToFileURL(join(root, 'node_modules/typescript/bin/tsc')).href;
  writeFileSync(join(folder, 'compiler/bin/tsc'), `import ${JSON.stringify(compiler)};\n`);
  writeJson(join(folder, 'package.json'), {
    name: 'small',
    version: '1.0.0',
    devDependencies: { typescript: 'file:compiler' },
  });
  writeJson(join(folder, 'tsconfig.base.json'), {
    compilerOptions: { composite: true, rootDir: '${configDir}/src', outDir: '${configDir}/dist', types: [] },
  });
  writeJson(join(folder, 'tsconfig.json'), { files: [], references: [{ path: 'packages/one' }] });
  mkdirSync(join(folder, 'packages/one/src'), { recursive: true });
  writeJson(join(folder, 'packages/one/package.json'), { name: 'one', type: 'module' });
  writeJson(join(folder, 'packages/one/tsconfig.json'), { extends: '../../tsconfig.base.json', include: ['src'] });
  writeFileSync(join(folder, 'packages/one/src/index.ts'), source);
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline'], {
    cwd: folder,
    stdio: 'pipe',
  });
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value));
}

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly said: readonly string[];
}

/** Prepares the clone in another process. Seconds differ from run to run, so they are cut off. */
function prepareInProcess(folder: string = clone): Promise<Outcome> {
  const script = `import { prepareOrExit } from ${JSON.stringify(join(root, 'tools/prepare.mjs'))}; await prepareOrExit({ root: ${JSON.stringify(folder)} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const said = stderr
        .trim()
        .split('\n')
        .map((line) => line.replace(/ in [\d.]+ s$/, '').replace(/process \d+/, 'process N'));
      const lasting = said.filter((line) => !line.startsWith('turnwire: still at it'));
      resolve({ code, stdout, said: stderr === '' ? [] : lasting });
    });
  });
}

const installing = 'turnwire: installing dependencies with npm ci, once per change of package-lock.json …';
const building = 'turnwire: building; the first time takes longest …';
const waiting = 'turnwire: another run (process N) is preparing this clone; waiting for it …';

describe('long work', () => {
  const signs = async (isTTY: boolean): Promise<string> => {
    let shown = '';
    let enough = (): void => undefined;
    const work = new Promise<void>((resolve) => (enough = resolve));
    const write = (text: string): void => {
      shown += text;
      if (/\.\.\.|(?:still[^]*){2}/.test(shown)) enough();
    };
    await withSigns('building', work, { stream: { isTTY, write }, second: 2 });
    return shown;
  };

  test('long work shows a dot every second at a terminal, and lines elsewhere', async () => {
    expect(await signs(true)).toMatch(/^turnwire: building …\.{3,}\n$/);
    expect(await signs(false)).toMatch(/^turnwire: building …\n(?:turnwire: still at it after \d+ s …\n){2,}$/);
  });
});

describe('preparing a clone', () => {
  test('a fresh clone is installed and built, with messages on stderr only', async () => {
    copy(fresh, clone);
    expect(await prepareInProcess()).toEqual({
      code: 0,
      stdout: '',
      said: [installing, 'turnwire: installed', building, 'turnwire: built'],
    });
  });

  test('a prepared clone is left unchanged, without a message', async () => {
    // A copy would have newer folders.
    expect(await prepareInProcess(prepared)).toEqual({ code: 0, stdout: '', said: [] });
  });

  test('a newer source causes a build, but no install', async () => {
    copy(prepared, clone);
    writeFileSync(join(clone, 'packages/one/src/index.ts'), 'export const one: number = 2;\n');
    expect(await prepareInProcess()).toEqual({ code: 0, stdout: '', said: [building, 'turnwire: built'] });
  });

  test('a deleted dist is built again', async () => {
    copy(prepared, clone);
    rmSync(join(clone, 'packages/one/dist'), { recursive: true });
    await prepareInProcess();
    expect(isBuilt(clone)).toBe(true);
    expect(execFileSync(process.execPath, ['packages/one/dist/index.js'], { cwd: clone }).toString()).toBe('');
  });

  test('an error of the compiler is printed, and the exit code is 1', async () => {
    copy(fresh, clone);
    writeFileSync(join(clone, 'packages/one/src/index.ts'), 'export const one: string = 1;\n');
    expect(await prepareInProcess()).toEqual({
      code: 1,
      stdout: '',
      said: [
        installing,
        'turnwire: installed',
        building,
        'turnwire: The build failed.',
        "packages/one/src/index.ts(1,14): error TS2322: Type 'number' is not assignable to type 'string'.",
        '',
        'Fix the errors above, or see what changed: git status',
      ],
    });
  });

  test('four processes that start together prepare the clone once', async () => {
    copy(fresh, clone);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => prepareInProcess()));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const work = outcomes.flatMap(({ said }) => said.filter((line) => line !== waiting));
    expect(work).toEqual([installing, 'turnwire: installed', building, 'turnwire: built']);
  });

  test('the lock of a dead process is taken over', async () => {
    copy(fresh, clone);
    await leaveLock();
    expect(await prepareInProcess()).toEqual({
      code: 0,
      stdout: '',
      said: [installing, 'turnwire: installed', building, 'turnwire: built'],
    });
  });
});

/** Creates a lock whose owner has ended. */
async function leaveLock(): Promise<void> {
  mkdirSync(join(clone, '.prepare.lock'));
  const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((resolve) => dead.on('close', resolve));
  writeFileSync(join(clone, '.prepare.lock', 'owner'), String(dead.pid));
}

describe('an installed clone', () => {
  const wanted = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/win': { version: '1.0.0', optional: true },
    },
  };

  function installedWith(packages: unknown): boolean {
    mkdirSync(join(clone, 'node_modules'));
    writeJson(join(clone, 'package-lock.json'), wanted);
    writeJson(join(clone, 'node_modules/.package-lock.json'), { packages });
    return isInstalled(clone);
  }

  test('a clone without node_modules is not installed', () => {
    writeJson(join(clone, 'package-lock.json'), wanted);
    expect(isInstalled(clone)).toBe(false);
  });

  test('a clone that lacks only optional packages of other platforms is installed', () => {
    expect(installedWith({ 'node_modules/a': { version: '1.0.0' } })).toBe(true);
  });

  test('a clone with another version of a package is not installed', () => {
    expect(installedWith({ 'node_modules/a': { version: '1.0.1' } })).toBe(false);
  });

  test('a clone whose hidden lockfile is damaged is not installed', () => {
    mkdirSync(join(clone, 'node_modules'));
    writeJson(join(clone, 'package-lock.json'), wanted);
    writeFileSync(join(clone, 'node_modules/.package-lock.json'), '{"packages":{"node_mod');
    expect(isInstalled(clone)).toBe(false);
  });
});

describe('versions of Node', () => {
  test.each(['18.20.4', '20.18.3', '16.0.0'])('%s is refused, and the message names the version we need', (version) => {
    expect(() => refuseOldNode(version)).toThrow(
      `Node ${version} is too old: Turnwire needs 20.19 or newer (https://nodejs.org).`,
    );
  });

  test.each(['20.19.0', '20.20.2', '22.0.0', '25.1.0'])('%s is accepted', (version) => {
    expect(refuseOldNode(version)).toBe(undefined);
  });
});

describe('a failed install', () => {
  test.each([
    ['npm error code ENOSPC', 'The disk is full: free about 500 MB and run the command again.'],
    [
      'npm error code EAI_AGAIN',
      'The npm registry cannot be reached: check the network or proxy (npm config get registry) and run the command again.',
    ],
    ['npm error code EACCES', 'This folder cannot be written: clone into a folder of your own.'],
    ['npm error code EUSAGE', 'package.json and package-lock.json do not agree: run npm install once.'],
    ['npm error code EINTEGRITY', 'Run `npm ci` by hand to see the complete output.'],
  ])('that says %s comes with advice', (output, advice) => {
    expect(explainInstall(1, output)).toBe(`npm ci failed (exit code 1).\n${output}\n\n${advice}`);
  });
});
