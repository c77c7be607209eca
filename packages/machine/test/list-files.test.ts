import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { type FileListing, listFiles, unfitIgnoreFile } from '../src/list-files.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'list-files-')));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function list(listing: Partial<FileListing> = {}): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const path of listFiles({ folder, ...listing })) paths.push(path);
  return paths;
}

describe('in a project', () => {
  beforeEach(() => {
    write({
      '.git/HEAD': '',
      '.gitignore': 'ignored/\n*.log\n!kept.log\n/only-here.txt\n',
      '.hidden/h.txt': '',
      'a.txt': '',
      'a/b.txt': '',
      'a/.gitignore': 'b.txt\n',
      'app.log': '',
      'deep/only-here.txt': '',
      'ignored/c.txt': '',
      'ignored/sub/d.txt': '',
      'kept.log': '',
      'new\nline.txt': '',
      'only-here.txt': '',
      'sub/.git/config': '',
      'sub/x.log': '',
      'x.ts': '',
    });
    symlinkSync('a.txt', join(folder, 'link.txt'));
    symlinkSync('.', join(folder, 'loop'));
    symlinkSync('nowhere', join(folder, 'dangling'));
  });

  test('lists files in order, without ignored files, links and .git', async () => {
    expect(await list()).toEqual([
      '.gitignore',
      '.hidden/h.txt',
      'a/.gitignore',
      'a.txt',
      'deep/only-here.txt',
      'kept.log',
      'new\nline.txt',
      'x.ts',
    ]);
  });

  test('lists the nearest files first if asked to', async () => {
    expect(await list({ order: 'breadth' })).toEqual([
      '.gitignore',
      'a.txt',
      'kept.log',
      'new\nline.txt',
      'x.ts',
      '.hidden/h.txt',
      'a/.gitignore',
      'deep/only-here.txt',
    ]);
  });

  test('lists an excluded folder when it is named', async () => {
    expect(await list({ folder: join(folder, 'ignored') })).toEqual(['c.txt', 'sub/d.txt']);
    expect(await list({ folder: join(folder, 'ignored/sub') })).toEqual(['d.txt']);
  });

  test.each([
    [['*.ts'], ['x.ts']],
    [
      ['*.{ts,log}', '!x.*'],
      ['app.log', 'kept.log'],
    ],
    [['sub/**'], ['sub/x.log']],
    [['/a.txt'], ['a.txt']],
    [
      ['!*.txt', '!.*'],
      ['kept.log', 'x.ts'],
    ],
    [
      ['!**/*.txt', '*.txt', '!*/**'],
      ['a.txt', 'new\nline.txt', 'only-here.txt'],
    ],
    [
      ['ignored', '*.txt'],
      [
        '.hidden/h.txt',
        'a/b.txt',
        'a.txt',
        'deep/only-here.txt',
        'ignored/c.txt',
        'ignored/sub/d.txt',
        'new\nline.txt',
        'only-here.txt',
      ],
    ],
    [['nothing*'], []],
  ])('applies the globs %j', async (globs, expected) => {
    expect(await list({ globs })).toEqual(expected);
  });

  test('ends when it is cancelled', async () => {
    const cancel = new AbortController();
    const run = (async () => {
      for await (const _ of listFiles({ folder, signal: cancel.signal })) cancel.abort();
    })();
    await expect(run).rejects.toThrow('aborted');
  });
});

test('a glob with too many alternatives is refused', async () => {
  await expect(list({ globs: ['{a,b}'.repeat(30)] })).rejects.toThrow('has more than 1000 alternatives');
});

test.each([
  ['a comment, and a # that is none', '#a\n\\#b', ['#b']],
  ['an exception, and a ! that is none', '*\n!a\n!#b\n\\#b', ['!b', '#a', '#b', '.i', 'b', 'b ', 'b\\', 'c/a', 'c/b']],
  ['spaces at the end', 'a  \nb\\ ', ['a', 'b ', 'c/a']],
  ['a slash in the middle', 'c/a', ['c/a']],
  ['folders only', 'a/\nc/', ['c/a', 'c/b']],
  ['what is in a folder', 'c/**\n!c/b', ['c/a']],
  ['a class', '[!ac]*', ['!b', '#a', '#b', '.i', 'b', 'b ', 'b\\', 'c/b']],
  ['a byte order mark and other line ends', '\uFEFFb*\r\n?b\r\n', ['!b', '#b', 'b', 'b ', 'b\\', 'c/b']],
])('an ignore file with %s is applied', async (_what, text, expected) => {
  const all = ['!b', '#a', '#b', '.i', 'a', 'b', 'b ', 'b\\', 'c/a', 'c/b'];
  write(Object.fromEntries([...all.map((path) => [path, '']), ['.gitignore', text]]));
  const listed = await list();
  expect(all.filter((path) => !listed.includes(path))).toEqual(expected);
});

test('a linked worktree applies the info/exclude that it shares with the main one', async () => {
  write({ 'main/private/note.txt': '', 'main/a.txt': '' });
  const git = (...words: readonly string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: join(folder, 'main'),
    });
  git('init', '--quiet');
  git('add', 'a.txt');
  git('commit', '--quiet', '--message', 'first');
  git('worktree', 'add', '--quiet', '../other');
  write({ 'main/.git/info/exclude': 'private/\n', 'other/private/note.txt': '' });
  expect(await list({ folder: join(folder, 'other') })).toEqual(['a.txt']);
});

describe('unsuitable ignore files', () => {
  test.each([
    ['a device', () => symlinkSync('/dev/zero', join(folder, 'sub/.gitignore')), 'a symbolic link leads out of'],
    ['a pipe', () => execFileSync('mkfifo', [join(folder, 'sub/.ignore')]), 'it is a named pipe'],
    ['long', () => writeFileSync(join(folder, 'sub/.rgignore'), '#'.repeat(300_000)), 'it is longer than'],
    ['in .git', () => symlinkSync('/dev/zero', join(folder, '.git/info/exclude')), 'a symbolic link leads out of'],
  ])('do not prevent the listing, and are reported: %s', async (_what, plant, reason) => {
    write({ 'sub/a.txt': '', '.git/info/x': '' });
    plant();
    const told: string[] = [];
    const paths = await list({ report: (complaint) => void told.push(complaint) });
    expect([paths.filter((path) => path === 'sub/a.txt'), told]).toEqual([
      ['sub/a.txt'],
      [expect.stringContaining(reason)],
    ]);
    expect(await unfitIgnoreFile({ folder })).toContain(reason);
  });

  test('are not searched for if the listing is empty', async () => {
    write({ '.gitignore': 'out/', 'out/a.txt': '', 'in/a.txt': '' });
    symlinkSync('/dev/zero', join(folder, 'out/.gitignore'));
    expect(await unfitIgnoreFile({ folder })).toBeUndefined();
    expect(await unfitIgnoreFile({ folder, globs: ['out', 'a.txt'] })).toContain('out/.gitignore cannot be read');
  });

  test('do not take a long time', async () => {
    write({ '.gitignore': `${'*a'.repeat(2_000)}b\n${'**/a/'.repeat(2_000)}b\n`, [`${'a'.repeat(200)}/x`]: '' });
    const start = performance.now();
    expect(await list()).toEqual(['.gitignore', `${'a'.repeat(200)}/x`]);
    expect(performance.now() - start).toBeLessThan(within(1_000));
  });
});
