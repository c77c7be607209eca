import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type HeldFile, type HeldFolder, type Holding, MovedError } from './holding.ts';
import { systemError } from '../system-reason.ts';

/**
 * For all other systems. Resolves a path, and checks after use that it still leads to the same file. Detects a replacement between the two checks,
 * unless it is undone within that time.
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
  // Windows lacks the latter two.
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
