import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleProgram } from '../bundle-program.mjs';

const run = promisify(execFile);
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-test-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a bundled program twice. */
async function runTwice(files: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const program = bundleProgram(join(folder, 'main.mjs'));
  const printed: string[] = [];
  for (const word of ['one', 'two']) printed.push((await run(process.execPath, [program, word])).stdout);
  const kept = (await readdir(dirname(program))).filter((name) => name.endsWith('.compiled')).length;
  await rm(dirname(dirname(program)), { recursive: true, force: true });
  return { printed, kept };
}

test('a bundled program stores its compiled code for the next start, and finds files next to its sources', async () => {
  const files = {
    'main.mjs': "void import('./late.mjs').then(({ print }) => print(process.argv[2], import.meta.url));",
    'late.mjs':
      "import { basename } from 'node:path'; export const print = (word, url) => console.log(word, basename(url));",
  };
  expect(await runTwice(files)).toEqual({ printed: ['one main.mjs\n', 'two main.mjs\n'], kept: 2 });
});

test('a start with options of Node stores no compiled code, because V8 would reject it at starts without them', async () => {
  await writeFile(join(folder, 'main.mjs'), 'console.log(process.argv[2]);');
  const program = bundleProgram(join(folder, 'main.mjs'));
  const kept = async (): Promise<number> =>
    (await readdir(dirname(program))).filter((name) => name.endsWith('.compiled')).length;
  const seen = [];
  for (const options of [['--max-old-space-size=64'], []]) {
    await run(process.execPath, [...options, program]);
    seen.push(await kept());
  }
  await rm(dirname(dirname(program)), { recursive: true, force: true });
  expect(seen).toEqual([0, 1]);
});

test.each([
  ['that V8 rejects', (code: Buffer) => withChecksum(code.fill(0, 8, 24))],
  ['with a damaged beginning', (code: Buffer) => code.fill(0, 0, 16)],
  [
    'with damage on which V8 would crash',
    (code: Buffer) => code.map((byte, at) => (at < code.length / 4 ? byte : ~byte)),
  ],
  ['that ends too early', (code: Buffer) => code.subarray(0, code.length / 2)],
  ['without anything', (code: Buffer) => code.subarray(0, 0)],
])('compiled code %s is compiled again and replaced', async (_what, damaged) => {
  const { program, compiled } = await bundled('console.log(process.argv[2]);');
  await run(process.execPath, [program]);
  const good = await readFile(compiled);
  await writeFile(compiled, damaged(Buffer.from(good)));
  const { stdout } = await run(process.execPath, [program, 'runs']);
  const again = await readFile(compiled);
  await rm(dirname(dirname(program)), { recursive: true, force: true });
  expect([stdout, again.length, again.subarray(0, 4)]).toEqual(['runs\n', good.length, good.subarray(0, 4)]);
});

/** Compiled code with the right checksum of itself in its header. */
function withChecksum(stored: Buffer): Buffer {
  stored.writeUInt32LE(crc32(stored.subarray(8)), 4);
  return stored;
}

/** A bundled program with a file that it may import late, and where its compiled code is stored. */
async function bundled(main: string, late = ''): Promise<{ readonly program: string; readonly compiled: string }> {
  await writeFile(join(folder, 'main.mjs'), main);
  await writeFile(join(folder, 'late.mjs'), late);
  const program = bundleProgram(join(folder, 'main.mjs'));
  return { program, compiled: join(dirname(program), `program.js.${process.version}.compiled`) };
}

test('a program whose compiled code cannot be stored runs, and leaves no unfinished file', async () => {
  const { program, compiled } = await bundled('console.log(process.argv[2]);');
  await mkdir(compiled);
  const { stdout } = await run(process.execPath, [program, 'runs']);
  const left = (await readdir(dirname(program))).filter((name) => name.includes('.compiled'));
  await rm(dirname(dirname(program)), { recursive: true, force: true });
  expect([stdout, left]).toEqual(['runs\n', [basename(compiled)]]);
});

test.skipIf(process.platform === 'win32')(
  'compiled code can be changed by its owner only, with any umask',
  async () => {
    const { program, compiled } = await bundled('console.log(process.argv[2]);');
    await run('sh', ['-c', 'umask 0; "$0" "$1"', process.execPath, program]);
    const { mode } = await stat(compiled);
    await rm(dirname(dirname(program)), { recursive: true, force: true });
    expect(mode & 0o777).toBe(0o644);
  },
);

test('a file of a bundle that could not be loaded is loaded again by the next caller', async () => {
  const { program } = await bundled(
    "void import('./late.mjs').catch(({ message }) => console.log(message)).then(() => import('./late.mjs')).then(({ word }) => console.log(word));",
    "if (!globalThis.isSecond) { globalThis.isSecond = true; throw new Error('not now'); } export const word = 'loaded';",
  );
  const { stdout } = await run(process.execPath, [program]);
  await rm(dirname(dirname(program)), { recursive: true, force: true });
  expect(stdout).toBe('not now\nloaded\n');
});

test('a changed program runs as it is now, even if it is as long as the compiled one', async () => {
  await writeFile(join(folder, 'main.mjs'), "console.log('before');");
  const program = bundleProgram(join(folder, 'main.mjs'));
  const script = join(dirname(program), 'program.js');
  const printed = [(await run(process.execPath, [program])).stdout];
  await writeFile(script, (await readFile(script, 'utf8')).replace('before', 'after!'));
  printed.push((await run(process.execPath, [program])).stdout);
  await rm(dirname(dirname(program)), { recursive: true, force: true });
  expect(printed).toEqual(['before\n', 'after!\n']);
});

test.each([
  ['awaits at its top level', "const { word } = await import('./late.mjs'); console.log(word);"],
  ['exports something', "export const word = import('./late.mjs').then(({ word }) => console.log(word));"],
])('a program that %s stays a module', async (_what, main) => {
  const files = { 'main.mjs': main, 'late.mjs': 'export const word = process.argv[2];' };
  expect(await runTwice(files)).toEqual({ printed: ['one\n', 'two\n'], kept: 0 });
});

test('a package that is not in the bundle is found from any working directory, without a warning', async () => {
  const main = join(folder, 'main.mjs');
  await writeFile(main, "void import('@vscode/ripgrep').then(({ rgPath }) => console.log(typeof rgPath));");
  const program = bundleProgram(main);
  const { stdout, stderr } = await run(process.execPath, [program], { cwd: folder });
  await rm(dirname(dirname(program)), { recursive: true, force: true });
  expect({ stdout, stderr }).toEqual({ stdout: 'string\n', stderr: '' });
});
