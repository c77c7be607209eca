import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat, inEmulator, keys } from './emulator.ts';

let base = '';
let project = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-review-')));
  project = join(base, 'project');
  await mkdir(project);
});
afterEach(() => rm(base, { recursive: true, maxRetries: 5 }));

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
const middle = Array.from({ length: 12 }, (_, at) => `line ${at}`);

test('a chat records what a command changed, and /review takes a hunk back and informs the agent', async () => {
  await writeFile(join(project, 'a.txt'), lines('first', ...middle, 'last'));
  const words = ['coder', 'chat', '--approve-all', '--cwd', project];
  const run = inEmulator(words, {
    rows: 40,
    env: { XDG_STATE_HOME: join(base, 'state'), TURNWIRE_CODER_MODEL: 'offline' },
  });
  await run.until('/help for help');
  run.type(keys.paste(`run sed -i 's/first/FIRST/; s/last/LAST/' a.txt`) + keys.enter);
  await run.until('Exit code 0');
  run.type(`/review${keys.enter}`);
  await run.until('a.txt              +2 −2');
  run.type(keys.enter);
  await run.until('the beginning · ');
  run.type('q');
  await run.until('Decide hunk by hunk');
  run.type(keys.down.repeat(3) + keys.enter);
  await run.until('Hunk 1 of 2, at line 1');
  run.type(keys.down + keys.enter);
  await run.until('Hunk 2 of 2, at line 11');
  run.type(keys.enter);
  await run.until('with that changes of a.txt were rejected');
  expect(await readFile(join(project, 'a.txt'), 'utf8')).toBe(lines('first', ...middle, 'LAST'));
});

test('/undo restores the files of the last turn of an agent without such a command, and informs the agent', async () => {
  await writeFile(join(project, 'a.txt'), 'one\n');
  const run = await beginChat(project, { rows: 40, env: { XDG_STATE_HOME: join(base, 'state') } });
  run.type(keys.paste('hang') + keys.enter);
  await run.until('at work');
  await writeFile(join(project, 'a.txt'), 'two\n');
  await writeFile(join(project, 'made.txt'), 'new\n');
  run.type(keys.escape);
  await run.until('(the turn was cancelled)');
  run.type(`/undo${keys.enter}`);
  await run.until('with that changes were undone');
  const shown = run.everything.filter((line) => /undone: hang|restored|removed/.test(line));
  run.type(`${keys.ctrl('u')}/undo${keys.enter}`);
  await run.until('no turn of this session has changed a file that can be restored');
  expect([shown, await readdir(project), await readFile(join(project, 'a.txt'), 'utf8')]).toEqual([
    ['undone: hang', '  removed: made.txt', '  restored: a.txt'],
    ['a.txt'],
    'one\n',
  ]);
});
