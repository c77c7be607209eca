import { mkdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import {
  codeOf,
  type HeldFile,
  type HeldFolder,
  type Holding,
  holdingHere,
  isMissing,
  MovedError,
} from '@turnwire/machine';
import { notRegular } from './file-failure.ts';
import type { WorkspacePath } from './workspace.ts';

/**
 * Opens a regular file for reading. Nothing else is ever opened, so that no pipe blocks and no device is triggered.
 * @param holding how to pin files and folders. Default: the best way of this machine
 * @returns undefined if the path does not exist
 * @throws ToolError if it is not a regular file, MovedError if it was moved, errors of the system
 */
export async function openRegular({ real, shown }: WorkspacePath, holding?: Holding): Promise<FileHandle | undefined> {
  try {
    const way = holding ?? (await holdingHere());
    await using held = await inPlace(await way.file(real), real);
    if (!held.stats.isFile()) throw notRegular(shown, held.stats);
    // Awaited here, while the folder is pinned.
    return await held.open();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Pins a folder; creates it and its parents if they are missing.
 * @throws MovedError if it was moved, errors of the system
 */
export async function holdFolder(real: string, holding?: Holding): Promise<HeldFolder> {
  const way = holding ?? (await holdingHere());
  try {
    return await inPlace(await way.folder(real), real);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(real) === real) throw error;
  }
  await using parent = await holdFolder(dirname(real), way);
  await mkdir(parent.entry(basename(real))).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return await inPlace(await way.folder(real), real);
}

/** Whether the pinned folder is still at the path that was checked. */
async function inPlace<Held extends HeldFile | HeldFolder>(held: Held, real: string): Promise<Held> {
  if (held.real === real) return held;
  await held[Symbol.asyncDispose]();
  throw new MovedError();
}
