import { mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PromptHistory } from '../../src/interactive/prompt-history.ts';
import { beginChat, type Emulator, keys } from './emulator.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-history-')));
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

const begin = (): Promise<Emulator> =>
  beginChat(folder, { env: { XDG_STATE_HOME: join(folder, 'state'), TURNWIRE_STARTED_AS: 'npm start --' } });

async function leave(run: Emulator): Promise<void> {
  run.type(`/exit${keys.enter}`);
  await run.exitCode;
}

test('the arrow key recalls a prompt of an earlier chat from a file that only the user can read', async () => {
  const first = await begin();
  first.type(`say one${keys.enter}`);
  await first.until('\none');
  await leave(first);
  expect(first.everything.at(-1)).toMatch(/^Resume with: npm start -- --resume [0-9a-f]+$/);
  const second = await begin();
  second.type(keys.up);
  await second.until('› /exit');
  second.type(keys.up);
  await second.until('› say one');
  const prompts = join(folder, 'state', 'turnwire', 'prompts');
  const [file = ''] = await readdir(prompts);
  const { mode } = await stat(join(prompts, file));
  expect([mode & 0o777, file]).toEqual([0o600, expect.stringMatching(/^[0-9a-f]{16}\.jsonl$/)]);
});

test('Ctrl-R searches the earlier prompts and puts one into the editor', async () => {
  const run = await begin();
  for (const text of ['say apples', 'say pears', 'say plums']) {
    run.type(text + keys.enter);
    await run.until(`\n${text.slice(4)}\n`);
  }
  run.type(`pear${keys.ctrl('r')}`);
  const screen = await run.until('Earlier prompts');
  expect(screen.slice(screen.indexOf('Earlier prompts 1'), -1)).toEqual([
    'Earlier prompts 1',
    '/ pear',
    '❯ say pears',
    'Type to search · ↑↓ Enter · Esc goes back',
  ]);
  run.type(keys.enter);
  await run.until('› say pears');
});

test('Ctrl-R shows the newest matching prompt first', async () => {
  const run = await begin();
  for (const text of ['say stream', 'say a long stream of words, the last one']) {
    run.type(text + keys.enter);
    await run.until(`\n${text.slice(4)}\n`);
  }
  run.type(`stream${keys.ctrl('r')}`);
  expect(await run.until('Earlier prompts')).toEqual(
    expect.arrayContaining(['❯ say a long stream of words, the last one', '  say stream']),
  );
});

test('a loaded session adds its prompts to the history', async () => {
  const run = await begin();
  run.type(`/sessions${keys.enter}`);
  await run.until('Fix the parser');
  run.type(keys.enter);
  await run.until('what was once answered');
  run.type(keys.up);
  const screen = await run.until((lines) => lines.at(-2) === '› what I once asked');
  expect(screen).toContain('what was once answered');
});

test('each prompt is kept once, a broken line is skipped, and two files are read as one history', async () => {
  const file = join(folder, 'prompts.jsonl');
  await writeFile(`${file}.1`, '"oldest"\n"twice"\n');
  await writeFile(file, '"newer"\n{broken\n7\n"twice"\n');
  const history = new PromptHistory(file);
  history.add('typed early');
  await history.flush();
  const read = new PromptHistory(file);
  await read.flush();
  expect([history.prompts, read.prompts]).toEqual([
    ['oldest', 'newer', 'twice', 'typed early'],
    ['oldest', 'newer', 'twice', 'typed early'],
  ]);
});
