import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Completion } from '../../src/interactive/completion/completion.ts';
import { editOf } from '../../src/interactive/edit.ts';
import { FileList } from '../../src/interactive/completion/file-list.ts';
import { plain } from '../../src/terminal/paint.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'file-list-')));
});

afterEach(() => vi.restoreAllMocks());
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a search finds, once all files are listed. */
async function found(at: string, search: string): Promise<readonly string[]> {
  const files = new FileList(at, () => undefined);
  await files.refresh();
  return files.find(search, 50);
}

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
])('listing files runs no program from the configuration of a repository: %s', async (_what, place, settings) => {
  const project = join(folder, 'project');
  plantRepository(join(project, place), settings);
  writeFileSync(join(project, 'a.txt'), '');
  expect(await found(project, '')).toContain('a.txt');
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test('files and folders are offered nearest first, without ignored files and dependencies', async () => {
  for (const path of ['node_modules/a/b.js', 'src/deep/c.ts', '.git/HEAD', 'out/x.js'])
    mkdirSync(join(folder, path, '..'), { recursive: true });
  for (const path of ['node_modules/a/b.js', 'src/deep/c.ts', 'z.txt', 'out/x.js', 'src/b.ts'])
    writeFileSync(join(folder, path), '');
  writeFileSync(join(folder, '.gitignore'), 'out\n');
  expect(await found(folder, '')).toEqual(['.gitignore', 'z.txt', 'src/', 'src/b.ts', 'src/deep/', 'src/deep/c.ts']);
  expect(await found(folder, 'src/')).toEqual(expect.arrayContaining(['src/', 'src/deep/', 'src/b.ts']));
  expect(await found(folder, 'srdpc')).toEqual(['src/deep/c.ts']);
});

test('a typed folder is read when the list was truncated, but not a folder outside', async () => {
  for (const path of ['a/1', 'a/2', 'b/deep/wanted.ts', 'b/other.ts']) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  const files = new FileList(folder, () => undefined, 2);
  await files.refresh();
  const before = { isCut: files.isCut, found: files.find('b/wanted', 50) };
  await vi.waitFor(() => expect(files.find('b/wanted', 50)).toEqual(['b/deep/wanted.ts']));
  expect({ before, outside: files.find('../', 50) }).toEqual({ before: { isCut: true, found: [] }, outside: [] });
});

test('one line says that the list was truncated; Tab enters a folder, Enter selects it', async () => {
  mkdirSync(join(folder, 'src'));
  for (const path of ['a', 'src/b']) writeFileSync(join(folder, path), '');
  const shown: (readonly string[])[] = [];
  const chosen: unknown[] = [];
  for (const mostFiles of [2, 1]) {
    const completion = new Completion(folder, { commands: () => [], changed: () => undefined, mostFiles });
    completion.follow(editOf('look at @'));
    await vi.waitFor(() => expect(completion.draw(100, plain)).not.toEqual([]));
    shown.push(completion.draw(100, plain));
    completion.follow(editOf('look at @s'));
    chosen.push(completion.chosen);
  }
  const cut = '  The folder has more files than were listed. Type a folder and / to list its files.';
  expect(shown).toEqual([
    ['❯ a', '  src/', '  src/b'],
    ['❯ a', cut],
  ]);
  expect(chosen).toEqual([expect.objectContaining({ text: '@src/ ', tabText: '@src/' }), undefined]);
});

test('the first files are offered while the others are still being listed', async () => {
  for (let count = 0; count < 100; count++) {
    mkdirSync(join(folder, String(count)));
    for (let file = 0; file < 5; file++) writeFileSync(join(folder, String(count), String(file)), '');
  }
  const lengths: number[] = [];
  const files: FileList = new FileList(folder, () => lengths.push(files.find('', 10_000).length));
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 1));
  let time = 0;
  await files.refresh();
  expect([lengths.length > 2, lengths.at(-1), lengths.toSorted((one, other) => one - other)]).toEqual([
    true,
    600,
    lengths,
  ]);
});
