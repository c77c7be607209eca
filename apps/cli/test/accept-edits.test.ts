import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Outcome, turnwire } from './command.ts';

let folder: string;
let project: string;

/** A repository with a link to a file of the user's home folder. */
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'accept-edits-')));
  project = join(folder, 'project');
  await mkdir(join(project, 'docs'), { recursive: true });
  await writeFile(join(folder, '.bashrc'), 'mine');
  await symlink('../../.bashrc', join(project, 'docs/notes'));
  await writeFile(join(project, 'notes'), 'theirs');
});
afterEach(() => rm(folder, { recursive: true }));

function run(line: string): Promise<Outcome> {
  return turnwire(['--cwd', project, '--permission-mode', 'acceptEdits', 'exec', `run ${line}`]);
}

test('with acceptEdits, a copy through a link of the repository asks the user', async () => {
  const { stdout } = await run('cp notes docs');
  expect({ stdout, bashrc: await readFile(join(folder, '.bashrc'), 'utf8') }).toEqual({
    stdout:
      '✗ cp notes docs: Permission was refused; nothing was changed.\n' +
      '**Refused:** execute `cp notes docs`. Permission was refused; nothing was changed.\n',
    bashrc: 'mine',
  });
});

test('with acceptEdits, a copy within the project runs without a question, and its output is shown', async () => {
  const { stdout } = await run('cp -v notes copy');
  expect({ stdout, copy: await readFile(join(project, 'copy'), 'utf8') }).toEqual({
    stdout:
      "→ cp -v notes copy\n  │ 'notes' -> 'copy'\n✓ cp -v notes copy\n" +
      "Ran `cp -v notes copy`:\n\n```\nExit code 0.\n'notes' -> 'copy'\n```\n",
    copy: 'theirs',
  });
});
