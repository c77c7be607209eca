import { constants } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';
import { type HeldFile, type HeldFolder, type Holding, MovedError } from './holding.ts';

// O_PATH, which Node does not name: opens a descriptor without opening the file, so no pipe blocks, no device is triggered, and no read permission is
// needed.
const pathOnly = 0o10000000;

/**
 * For Linux. Opens a descriptor, asks the kernel for its path, and then works through the descriptor only, so there is no moment in which a folder
 * could be replaced by a link unnoticed.
 */
export const heldByDescriptor: Holding = {
  folder: async (path) => holdFolder(await open(path, pathOnly | constants.O_DIRECTORY)),
  file: async (path) => holdFile(await open(path, pathOnly)),
};

/** Whether this machine supports it: Linux with `/proc` mounted. */
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
  const real = await locationOf(handle);
  return {
    real,
    entry: (each) => `${linkOf(handle)}/${each}`,
    confirm: async () => {
      if ((await locationOf(handle)) !== real) throw new MovedError();
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function holdFile(handle: FileHandle): Promise<HeldFile> {
  const real = await locationOf(handle);
  const stats = await handle.stat({ bigint: true });
  return {
    real,
    stats,
    open: () => open(linkOf(handle), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function locationOf(handle: FileHandle): Promise<string> {
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
