import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat, type Emulator, inEmulator, keys } from './emulator.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-forks-')));
  await writeFile(join(folder, 'a.txt'), 'one\n');
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

/** A chat with the built-in agent, which has done two things; every question of it was answered with yes. */
async function twoTurns(words: readonly string[] = []): Promise<Emulator> {
  const run = inEmulator(['--cwd', folder, '--approve-all', ...words], { rows: 40, columns: 100 });
  await run.until('Offline');
  run.type(`create b.txt with "new"${keys.enter}`);
  await run.until('✓ Create b.txt');
  await run.until('type a prompt');
  run.type(`read a.txt then replace "one" with "two" in a.txt${keys.enter}`);
  await run.until('✓ Edit a.txt');
  await run.until('type a prompt');
  return run;
}

test('/rewind continues before the chosen turn, restores the files, and puts the prompt into the editor', async () => {
  const run = await twoTurns();
  run.type(`/rewind${keys.enter}`);
  const turns = await run.until('Go back to before');
  run.type(keys.enter);
  await run.until('Leave the files as they are');
  run.type(keys.down + keys.enter);
  const screen = await run.until('a.txt` (restored)');
  const place = screen.findIndex((line) => line.includes('a fork of the session'));
  await run.until('› read a.txt then replace "one" with "two" in a.txt');
  await run.until('The stored session was loaded');
  const text = await readFile(join(folder, 'a.txt'), 'utf8');
  run.type(`${keys.ctrl('u')}/rewind 1${keys.enter}`);
  await run.until('Leave the files as they are');
  run.type(keys.enter);
  await run.until('› create b.txt with "new"');
  expect({
    turns: turns.filter((line) => line.includes('turn')).slice(-2),
    introduced: screen[place],
    text,
    files: await readdir(folder),
  }).toEqual({
    turns: [
      '❯ read a.txt then replace "one" with "two" in a.txt  the last turn',
      '  create b.txt with "new"                            2 turns',
    ],
    introduced: '── a fork of the session, which stays in /sessions ──',
    text: 'one\n',
    files: ['a.txt', 'b.txt'],
  });
});

test('/rewind 1 drops a whole turn with the prompts that were sent into it, and restores its files', async () => {
  const run = inEmulator(['--cwd', folder, '--approve-all'], { rows: 40, columns: 100 });
  await run.until('Offline');
  await run.until('type a prompt');
  const prompt = `create b.txt with "new" then run until [ -e go ]; do sleep 0.1; done`;
  run.type(`${prompt}${keys.enter}`);
  await run.until('✓ Create b.txt');
  run.type(`create c.txt with "steered"${keys.enter}`);
  await run.until('queued: create c.txt');
  // The character after it is drawn when the chat has sent the prompt to the agent.
  run.type(`${keys.enter}x`);
  await run.until('› x');
  await writeFile(join(folder, 'go'), '');
  await run.until('✓ Create c.txt');
  run.type(`${keys.ctrl('u')}`);
  await run.until('type a prompt');
  run.type(`/rewind 1${keys.enter}`);
  await run.until('Leave the files as they are');
  run.type(keys.down + keys.enter);
  await run.until('a fork of the session');
  const files = await readdir(folder);
  const below = (lines: readonly string[]): readonly string[] =>
    lines.slice(lines.findIndex((line) => line.includes('a fork of')));
  await run.until((lines) => below(lines).some((line) => line.startsWith(`› ${prompt}`)));
  expect(files).toEqual(['a.txt']);
});

test('/fork continues in a copy and leaves the session unchanged', async () => {
  const run = await twoTurns();
  run.type(`/fork${keys.enter}`);
  await run.until('a fork of the session');
  await run.until('type a prompt');
  run.type(`list files${keys.enter}`);
  await run.until('✓ List');
  await run.until('type a prompt');
  run.type(`/sessions${keys.enter}`);
  const screen = await run.until(
    (lines) => lines.filter((line) => line.includes('create b.txt with "new"  ')).length > 0,
  );
  expect(screen.filter((line) => /^[❯ ] create b\.txt with "new" {2}/.test(line))).toHaveLength(1);
});

test('a plain chat asks for the turn and the files by number', async () => {
  const run = inEmulator(['--plain', '--cwd', folder, '--approve-all'], { rows: 40, columns: 100 });
  const answers = async (line: string, sign: string): Promise<void> => {
    await run.until((lines) => lines.at(-1)?.trimEnd().endsWith(sign) === true);
    run.type(`${line}${keys.enter}`);
  };
  await answers('create b.txt with "new"', '>');
  await run.until('Wrote b.txt.');
  await answers('/rewind', '>');
  await run.until('1  create b.txt');
  await answers('1', ':');
  await run.until('2  Restore the files');
  await answers('2', ':');
  const screen = await run.until('(removed)');
  expect([screen.includes('Now in a fork of the session, which stays in /sessions.'), await readdir(folder)]).toEqual([
    true,
    ['a.txt'],
  ]);
});

test('an agent that cannot fork is not asked to', async () => {
  const run = await beginChat(folder);
  run.type(`/fork${keys.enter}`);
  const fork = await run.until('the agent cannot fork sessions');
  run.type(`/rewind${keys.enter}`);
  const rewind = await run.until('the agent cannot go back to a turn');
  expect([fork, rewind].map((screen) => screen.at(-1)?.split('  ', 1)[0])).toEqual([
    'the agent cannot fork sessions',
    'the agent cannot go back to a turn',
  ]);
});
