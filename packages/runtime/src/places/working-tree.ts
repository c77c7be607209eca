import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitFolder, projectRoot } from '@turnwire/machine';
import type { UserGit } from './user-git.ts';

/**
 * The tree of git with the files of a working tree as they are: untracked files too, ignored ones not. An index of its own is used, so the
 * user's stays as it is.
 */
export async function workingTree(git: UserGit): Promise<string> {
  const temporary = await mkdtemp(join(tmpdir(), 'turnwire-index-'));
  try {
    const index = join(temporary, 'index');
    // The user's index knows which files have not changed.
    await copyFile(join(gitFolder(projectRoot(git.folder)), 'index'), index).catch(() => undefined);
    await git.text(['add', '--all', '--', ':/'], { index });
    return await git.line(['write-tree'], { index });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
