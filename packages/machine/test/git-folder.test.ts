import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitBranch } from '../src/git-folder.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnwire-git-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

test('the branch is that of the working tree around a folder, including linked ones', () => {
  write('main/.git/HEAD', 'ref: refs/heads/main\n');
  write('main/.git/worktrees/other/HEAD', 'ref: refs/heads/topic/one\n');
  write('other/.git', `gitdir: ${join(folder, 'main/.git/worktrees/other')}\n`);
  mkdirSync(join(folder, 'main/src/deep'), { recursive: true });
  expect(['main', 'main/src/deep', 'other'].map((path) => gitBranch(join(folder, path)))).toEqual([
    'main',
    'main',
    'topic/one',
  ]);
});

test('a detached head is the beginning of the commit; anything else is undefined', () => {
  write('detached/.git/HEAD', `${'0123456789'.repeat(4)}\n`);
  write('broken/.git/HEAD', '../../secret\n');
  mkdirSync(join(folder, 'plain'));
  expect(['detached', 'broken', 'plain'].map((path) => gitBranch(join(folder, path)))).toEqual([
    '0123456',
    undefined,
    undefined,
  ]);
});
