import { dirname, join, resolve } from 'node:path';
import { projectRoot } from './project-root.ts';
import { readProjectFile } from './read-file.ts';

/**
 * The folder of git that a working tree shares with others of its repository (gitrepository-layout).
 * @param root the root of the working tree
 */
export function commonGitFolder(root: string): string {
  const own = gitFolder(root);
  return resolve(own, oneLine(join(own, 'commondir')) ?? '.');
}

/**
 * The branch that is checked out in the working tree of a folder, or the beginning of the commit of a detached head. No program is started. Undefined
 * outside of a repository.
 */
export function gitBranch(folder: string): string | undefined {
  const head = oneLine(join(gitFolder(projectRoot(folder)), 'HEAD')) ?? '';
  return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? /^[0-9a-f]{7}(?=[0-9a-f]{33,}$)/.exec(head)?.[0];
}

/** The folder of git for one working tree: in a linked worktree and in a submodule `.git` is a file that leads there. */
export function gitFolder(root: string): string {
  const own = join(root, '.git');
  const leads = oneLine(own)?.match(/^gitdir: (.+)$/)?.[1];
  return leads === undefined ? own : resolve(root, leads);
}

/** The text of a small file without its final line break; undefined if the file is missing or is a folder. */
function oneLine(path: string): string | undefined {
  try {
    return readProjectFile(path, { project: dirname(path), limit: 8_192 })?.trimEnd();
  } catch {
    return undefined;
  }
}
