import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitFolder, projectRoot } from '@turnwire/machine';
import type { UserGit, UserGitCall } from './user-git.ts';

/**
 * The tree of git with the files of a working tree as they are: untracked files too, ignored ones not. It uses a
 * separate index, so the user's does not change.
 */
export async function workingTree(git: UserGit): Promise<string> {
  const temporary = await mkdtemp(join(tmpdir(), 'turnwire-index-'));
  try {
    const index = join(temporary, 'index');
    // The user's index knows which files have not changed.
    await copyIndex(join(gitFolder(projectRoot(git.folder)), 'index'), index).catch(() => undefined);
    await addAll(git, { index });
    return await git.line(['write-tree'], { index });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * Copies an index with its time, in whole seconds. git compares files only to the second and by size, and reads a file that is not older than the
 * index. With a newer index it would not see a file that changed within the second of its last commit.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const seconds = Math.floor(mtimeMs / 1_000);
  await utimes(to, seconds, seconds);
}

/** Adds all files to an index, except nested repositories that it has already: git would start itself there, with the programs of their settings. */
export async function addAll(git: UserGit, call: Pick<UserGitCall, 'index'> = {}): Promise<void> {
  const entries = await git.texts(['ls-files', '--stage', '-z'], call);
  const nested = entries.flatMap((entry) =>
    entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : [],
  );
  const paths = [':/', ...new Set(nested.map((path) => `:(top,exclude,literal)${path}`))];
  await git.text(['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    ...call,
    input: paths.join('\0'),
  });
}
