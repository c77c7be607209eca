import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readOwnFile } from '@turnwire/machine';

/** The longest file of git that is read, in bytes. */
const longest = 4_096;

/** The Git repository a folder is in. */
export interface Repository {
  /** Absolute. */
  readonly root: string;
  /** The current branch. Undefined: none is checked out, or it is unknown. */
  readonly branch: string | undefined;
}

/** Looks for the repository around a folder, without running a program. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  const found = await stat(join(folder, '.git')).catch(() => undefined);
  if (found) return { root: folder, branch: branchOf(folder, found.isDirectory()) };
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

/** Undefined also if the HEAD file does not exist, or has other content. */
function branchOf(root: string, isFolder: boolean): string | undefined {
  try {
    const folder = isFolder ? join(root, '.git') : linkedFolder(root);
    const head = folder && readOwnFile(join(folder, 'HEAD'), { limit: longest });
    return head && /^ref: refs\/heads\/([^\s\p{Cc}]{1,200})$/u.exec(head.trim())?.[1];
  } catch {
    return undefined;
  }
}

/** The git folder of a work tree or a submodule, from its `.git` file. On Windows a path that begins with two slashes is on another machine. */
function linkedFolder(root: string): string | undefined {
  const way = /^gitdir: (.+)$/m.exec(readOwnFile(join(root, '.git'), { limit: longest }) ?? '')?.[1];
  return way === undefined || /^[\\/]{2}/.test(way) ? undefined : resolve(root, way);
}
