import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type HeldFile, type HeldFolder, type Holding, MovedError } from './holding.ts';
import { systemError } from '../system-reason.ts';

/**
 * Everywhere else. A path is resolved, and looked at again after it was used: it must still lead to the same thing. What is exchanged
 * between the two looks is noticed; only an exchange and its undoing within that moment is not.
 */
export const heldByPath: Holding = { folder: holdFolder, file: holdFile };

async function holdFolder(path: string): Promise<HeldFolder> {
  const real = await realpath(path);
  const first = await lstat(real, { bigint: true });
  if (!first.isDirectory()) throw systemError('ENOTDIR');
  return {
    real,
    entry: (each) => join(real, each),
    confirm: () => confirmSame(real, first),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function holdFile(path: string): Promise<HeldFile> {
  const real = await realpath(path);
  const stats = await lstat(real, { bigint: true });
  return { real, stats, open: () => openSame(real, stats), [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function openSame(real: string, stats: BigIntStats): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Windows has neither of the latter.
  const handle = await open(real, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  try {
    if (!isSame(await handle.stat({ bigint: true }), stats)) throw new MovedError();
    await confirmSame(real, stats);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function confirmSame(real: string, first: BigIntStats): Promise<void> {
  const unmoved = (await realpath(real)) === real && isSame(await lstat(real, { bigint: true }), first);
  if (!unmoved) throw new MovedError();
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.mode === other.mode;
}
