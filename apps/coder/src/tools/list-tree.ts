import { lstat, opendir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The entries of a folder, at any depth; symbolic links are not followed. */
export interface Tree {
  /** Absolute, in order. */
  readonly paths: readonly string[];
  /** The paths that are folders. */
  readonly folders: readonly string[];
  /** How many are not folders. */
  readonly files: number;
  readonly bytes: number;
  /** False if the list is incomplete. */
  readonly isWhole: boolean;
}

/** The most entries that are listed. */
export const treeLimit = 10_000;

/** Lists a folder. Rejects if a part of it cannot be read. */
export async function listTree(folder: string): Promise<Tree> {
  const paths: string[] = [];
  const folders: string[] = [];
  const waiting = [folder];
  let bytes = 0;
  for (let next = waiting.pop(); next !== undefined && paths.length <= treeLimit; next = waiting.pop())
    for await (const entry of await opendir(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        waiting.push(path);
        folders.push(path);
      } else bytes += (await lstat(path)).size;
      if (paths.push(path) > treeLimit) break;
    }
  const isWhole = paths.length <= treeLimit;
  return { paths: paths.slice(0, treeLimit).toSorted(), folders, files: paths.length - folders.length, bytes, isWhole };
}

/** The most names that are returned. */
export const nameLimit = 50_000;

/**
 * The absolute paths of a folder and everything below; for an unreadable folder its own alone. Undefined if there are too
 * many.
 */
export async function namesBelow(folder: string): Promise<readonly string[] | undefined> {
  const paths: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (paths.push(path) > nameLimit) return undefined;
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return paths.toSorted();
}
