import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';

const safe = /^[A-Za-z0-9_-]{1,128}$/;
const safeWithExtension = /^[A-Za-z0-9_-]{1,128}(?:\.[a-z]{1,16}){0,2}$/;
/** Devices on Windows, in every folder and with every extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether a value is safe as the name of a store's entry: letters, digits, `-` and `_`, at most 128, and not a device of Windows. */
export function isEntryName(name: unknown): boolean {
  return typeof name === 'string' && safe.test(name) && !device.test(name);
}

/**
 * The path of a store's entry; the only way from an id to a path.
 * @param folder of the store
 * @param names of folders and, last, of the entry: as in {@link isEntryName}, with at most two extensions such as `.jsonl`
 * @throws Error if one of the names could lead out of the folder
 */
export function entryPath(folder: string, ...names: readonly string[]): string {
  for (const name of names)
    if (!safeWithExtension.test(name) || device.test(name))
      throw new Error(
        `${JSON.stringify(name)} cannot name an entry of ${folder}: only letters, digits, - and _ are allowed, and no more than 128`,
      );
  return join(folder, ...names);
}

/**
 * Removes an entry of a store with its content, if it exists. A link is removed without touching its target, and a link instead of a folder on the
 * path is not followed.
 * @throws Error as {@link entryPath} does, or if a folder on the path is not a folder
 */
export async function removeEntry(folder: string, ...names: readonly string[]): Promise<void> {
  const path = entryPath(folder, ...names);
  for (let depth = 1; depth < names.length; depth++) {
    const above = join(folder, ...names.slice(0, depth));
    const found = await lstat(above).catch(() => undefined);
    if (found === undefined) return;
    if (!found.isDirectory()) throw new Error(`${above} is not a folder, so nothing in it was removed`);
  }
  // Retries, because another process may be adding a file.
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
