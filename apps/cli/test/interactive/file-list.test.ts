import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { offeredFiles } from '../../src/interactive/completion/file-list.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'file-list-')));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A repository whose configuration makes git run a program: `.git` of an archive, or a folder in an ordinary clone. */
function plantRepository(at: string, settings: string): void {
  for (const each of ['objects', 'refs']) mkdirSync(join(at, each), { recursive: true });
  writeFileSync(join(at, 'HEAD'), 'ref: refs/heads/main\n');
  const monitor = `\tfsmonitor = "touch '${folder}/ran'; false"\n`;
  writeFileSync(join(at, 'config'), `[core]\n\trepositoryformatversion = 0\n${settings}${monitor}`);
}

test.each([
  ['in .git', '.git', ''],
  ['in the folder itself', '.', '\tbare = false\n\tworktree = .\n'],
])('no program that a repository brings is run to offer its files: %s', async (_what, place, settings) => {
  const project = join(folder, 'project');
  plantRepository(join(project, place), settings);
  writeFileSync(join(project, 'a.txt'), '');
  expect(await offeredFiles(project)).toContain('a.txt');
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test('files are offered by how near they are, without those of others', async () => {
  for (const path of ['node_modules/a/b.js', 'src/deep/c.ts', '.git/HEAD', 'out/x.js'])
    mkdirSync(join(folder, path, '..'), { recursive: true });
  for (const path of ['node_modules/a/b.js', 'src/deep/c.ts', 'z.txt', 'out/x.js', 'src/b.ts'])
    writeFileSync(join(folder, path), '');
  writeFileSync(join(folder, '.gitignore'), 'out\n');
  expect(await offeredFiles(folder)).toEqual(['.gitignore', 'z.txt', 'src/b.ts', 'src/deep/c.ts']);
});
