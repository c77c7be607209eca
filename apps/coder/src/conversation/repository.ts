import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

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
  if (found) return { root: folder, branch: await branchOf(folder, found.isDirectory()).catch(() => undefined) };
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

async function branchOf(root: string, isFolder: boolean): Promise<string | undefined> {
  const folder = isFolder ? join(root, '.git') : await linkedFolder(root);
  const head = folder && (await smallFile(join(folder, 'HEAD')));
  return head && /^ref: refs\/heads\/([^\s\p{Cc}]{1,200})$/u.exec(head.trim())?.[1];
}

/** A work tree or a submodule says in a file where its folder is. */
async function linkedFolder(root: string): Promise<string | undefined> {
  const way = /^gitdir: (.+)$/m.exec((await smallFile(join(root, '.git'))) ?? '')?.[1];
  return way === undefined ? undefined : resolve(root, way);
}

// Whatever stands in a stranger's folder is looked at with care: a pipe would be read for ever.
async function smallFile(path: string): Promise<string | undefined> {
  const found = await stat(path);
  return found.isFile() && found.size < 4_096 ? readFile(path, 'utf8') : undefined;
}
