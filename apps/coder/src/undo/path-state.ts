import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isMissing } from '@turnwire/machine';
import { measureTree } from './measure-tree.ts';

/** The state of a path, to detect later changes. */
export interface PathState {
  /** Identifies everything except the mode: entries with the same print are the same. */
  readonly print: string;
  /** Permission bits of a file. */
  readonly mode?: number | undefined;
}

/** Larger files are identified by size and time. */
const hashedBytes = 64 * 1024 * 1024;

/** Larger folders are only identified as folders. */
const countedEntries = 20_000;

export const absent: PathState = { print: 'absent' };

/** Reads the state of a path. An unreadable one equals no other state. */
export async function stateOf(path: string): Promise<PathState> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return { print: linkPrint(await readlink(path)) };
    if (found.isDirectory()) return { print: await folderPrint(path) };
    if (!found.isFile()) return { print: 'other' };
    const print = found.size > hashedBytes ? `large ${found.size} ${found.mtimeMs}` : `file ${await hashOf(path)}`;
    return { print, mode: found.mode & 0o7777 };
  } catch (error) {
    return isMissing(error) ? absent : { print: `unknown ${crypto.randomUUID()}` };
  }
}

/** The print of a file with these bytes. */
export function filePrint(bytes: Uint8Array): string {
  return `file ${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The print of a folder: only its size. */
export async function folderPrint(path: string): Promise<string> {
  const size = await measureTree(path, { bytes: Number.POSITIVE_INFINITY, entries: countedEntries });
  return size === undefined ? 'folder, large' : `folder ${size.entries} ${size.bytes}`;
}

/** The print of a symbolic link. */
export function linkPrint(target: string): string {
  return `link ${target}`;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
