import { spawn } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, scripted } from './command.ts';
import { ctrlC, ctrlD, programInTerminal } from './terminal.ts';

const clone = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-start-')));
  await writeFile(join(folder, 'notes.txt'), 'TODO: rest\n');
});
afterAll(() => rm(folder, { recursive: true }));

const start = ['--prefix', clone, 'start', '--silent', '--'];

/** `npm start --silent -- …`, called from the folder of the test. */
async function npmStart(...words: readonly string[]): Promise<Outcome> {
  const child = spawn('npm', [...start, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

test('npm start works in the folder it was called from, prints only the answer, and keeps the exit code', async () => {
  const { code, stdout } = await npmStart('exec', 'search for TODO');
  expect({ code, firstLine: stdout.split('\n')[0] }).toEqual({ code: 0, firstLine: '→ Search for TODO' });
  expect(stdout).toContain('notes.txt:1: TODO: rest');
  const denied = await npmStart('exec', '--agent', scripted(), 'ask');
  expect({ code: denied.code, stdout: denied.stdout }).toEqual({ code: 5, stdout: 'selected no\n' });
});

test('Ctrl-C in a terminal stops the turn once, although npm and the terminal both deliver it', async () => {
  const run = programInTerminal(['npm', ...start, 'exec', '--agent', scripted(), 'hang'], { cwd: folder });
  await run.until('at work');
  run.type(ctrlC);
  expect({ code: await run.exitCode, output: run.output }).toEqual({
    code: 130,
    // What may still change is drawn anew.
    output: 'at work^C\r\u001b[Jat work\r\n',
  });
});

test('npm start without arguments opens the chat', async () => {
  const run = programInTerminal(['npm', ...start], { cwd: folder });
  expect(await run.until('› ')).toContain(`in ${folder}`);
  run.type(ctrlD);
  expect(await run.exitCode).toBe(0);
});
