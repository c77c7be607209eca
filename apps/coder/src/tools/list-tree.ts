import { lstat, opendir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What is in a folder and below; symbolic links are things of their own. */
export interface Tree {
  /** Absolute, in order. */
  readonly paths: readonly string[];
  /** Those of them that are folders. */
  readonly folders: readonly string[];
  /** How many are no folders. */
  readonly files: number;
  readonly bytes: number;
  /** False if there is more than is listed. */
  readonly isWhole: boolean;
}

/** Entries that are listed at most. */
export const treeLimit = 10_000;

/** Lists a folder. Rejects when a part of it cannot be read. */
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

/** Names that are given at most. */
export const nameLimit = 50_000;

/**
 * The absolute paths of all that is in a folder and below; of a folder that cannot be read its own alone. Undefined if they are too
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
