import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
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

test('compiled code that V8 rejects is compiled again and replaced', async () => {
  await writeFile(join(folder, 'main.mjs'), 'console.log(process.argv[2]);');
  const program = bundleProgram(join(folder, 'main.mjs'));
  await run(process.execPath, [program]);
  const compiled = join(dirname(program), `program.js.${process.version}.compiled`);
  const good = await readFile(compiled);
  await writeFile(compiled, Buffer.from(good).fill(0, 0, 16));
  await run(process.execPath, [program]);
  const again = await readFile(compiled);
  await rm(dirname(dirname(program)), { recursive: true, force: true });
  expect(again.subarray(0, 16)).toEqual(good.subarray(0, 16));
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
