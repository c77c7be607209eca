import { constants } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';
import { type HeldFile, type HeldFolder, type Holding, MovedError } from './holding.ts';

// Takes hold of a thing without opening it: no pipe blocks, no device notices, no right to read is needed. Node has no name for it.
const pathOnly = 0o10000000;

/**
 * Linux. First one takes hold, then one asks the kernel what was taken hold of, and from then on one uses that: there is no moment
 * in which exchanging a folder for a link makes a difference.
 */
export const heldByDescriptor: Holding = {
  folder: async (path) => holdFolder(await open(path, pathOnly | constants.O_DIRECTORY)),
  file: async (path) => holdFile(await open(path, pathOnly)),
};

/** Whether this machine can do it: Linux with `/proc` in place. */
export async function worksByDescriptor(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    await using root = await heldByDescriptor.folder('/');
    return root.real === '/';
  } catch {
    return false;
  }
}

async function holdFolder(handle: FileHandle): Promise<HeldFolder> {
  const real = await placeOf(handle);
  return {
    real,
    entry: (each) => `${linkOf(handle)}/${each}`,
    confirm: async () => {
      if ((await placeOf(handle)) !== real) throw new MovedError();
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function holdFile(handle: FileHandle): Promise<HeldFile> {
  const real = await placeOf(handle);
  const stats = await handle.stat({ bigint: true });
  return {
    real,
    stats,
    open: () => open(linkOf(handle), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function placeOf(handle: FileHandle): Promise<string> {
  try {
    return await readlink(linkOf(handle));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function linkOf(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}
