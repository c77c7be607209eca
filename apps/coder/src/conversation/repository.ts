import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readOwnFile } from '@turnwire/machine';

/** Bytes of what git keeps in one line. */
const longest = 4_096;

/** The Git repository a folder is in. */
export interface Repository {
  /** Absolute. */
  readonly root: string;
  /** Undefined: none is checked out, or it cannot be told. */
  readonly branch: string | undefined;
}

/** Looks for the repository around a folder, without running anything. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  const found = await stat(join(folder, '.git')).catch(() => undefined);
  if (found) return { root: folder, branch: branchOf(folder, found.isDirectory()) };
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

/** Undefined too if a file that should say so is none, or says something else. */
function branchOf(root: string, isFolder: boolean): string | undefined {
  try {
    const folder = isFolder ? join(root, '.git') : linkedFolder(root);
    const head = folder && readOwnFile(join(folder, 'HEAD'), { limit: longest });
    return head && /^ref: refs\/heads\/([^\s\p{Cc}]{1,200})$/u.exec(head.trim())?.[1];
  } catch {
    return undefined;
  }
}

/** A work tree or a submodule says in a file where its folder is. A path that begins with two slashes is another machine's on Windows. */
function linkedFolder(root: string): string | undefined {
  const way = /^gitdir: (.+)$/m.exec(readOwnFile(join(root, '.git'), { limit: longest }) ?? '')?.[1];
  return way === undefined || /^[\\/]{2}/.test(way) ? undefined : resolve(root, way);
}
