import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';

const safe = /^[A-Za-z0-9_-]{1,128}$/;
const safeWithExtension = /^[A-Za-z0-9_-]{1,128}(?:\.[a-z]{1,16}){0,2}$/;
/** On Windows these are devices, in every folder and with every extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether something may become the name of an entry of a store: letters, digits, `-` and `_`, at most 128, and no device of Windows. */
export function isEntryName(name: unknown): boolean {
  return typeof name === 'string' && safe.test(name) && !device.test(name);
}

/**
 * The path of an entry of a store: the one way from an id to a path.
 * @param folder the store's
 * @param names of folders and, last, of the entry: as {@link isEntryName} has it, with at most two extensions such as `.jsonl`
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
 * Removes an entry of a store with all that is in it; does nothing if there is none. A link is removed, and what it leads to is left
 * alone, also where one stands in place of a folder on the way.
 * @throws Error as {@link entryPath} does, or if a folder on the way is none
 */
export async function removeEntry(folder: string, ...names: readonly string[]): Promise<void> {
  const path = entryPath(folder, ...names);
  for (let depth = 1; depth < names.length; depth++) {
    const above = join(folder, ...names.slice(0, depth));
    const found = await lstat(above).catch(() => undefined);
    if (found === undefined) return;
    if (!found.isDirectory()) throw new Error(`${above} is not a folder, so nothing in it was removed`);
  }
  // A process that comes at this moment may put a file into it once more.
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
