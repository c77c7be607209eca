import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** The size of a folder with everything below. */
export interface TreeSize {
  readonly bytes: number;
  readonly entries: number;
  /** Absolute paths of entries that are neither files, folders nor symbolic links. */
  readonly special: readonly string[];
}

/** Measures a folder; symbolic links are not followed. Undefined as soon as it exceeds the limits. */
export async function measureTree(
  folder: string,
  limits: { readonly bytes: number; readonly entries: number },
): Promise<TreeSize | undefined> {
  const special: string[] = [];
  const waiting = [folder];
  let [bytes, entries] = [0, 0];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for await (const entry of await opendir(next)) {
      const path = join(next, entry.name);
      entries++;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) bytes += (await lstat(path)).size;
      else if (!entry.isSymbolicLink()) special.push(path);
      if (bytes > limits.bytes || entries > limits.entries) return undefined;
    }
  return { bytes, entries, special };
}
