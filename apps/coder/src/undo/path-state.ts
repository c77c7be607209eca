import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isMissing } from '@turnwire/machine';
import { measureTree } from './measure-tree.ts';

/** What is at a path, to tell later whether it is still the same. */
export interface PathState {
  /** Says all that matters but the mode: two things with the same print are the same. */
  readonly print: string;
  /** Permission bits of a file. */
  readonly mode?: number | undefined;
}

/** Of larger files size and time have to do. */
const hashedBytes = 64 * 1024 * 1024;

/** Of larger folders it has to do that they are folders. */
const countedEntries = 20_000;

export const absent: PathState = { print: 'absent' };

/** Looks at a path. What cannot be looked at is in a state no other is equal to. */
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

/** The print of a file that holds these bytes. */
export function filePrint(bytes: Uint8Array): string {
  return `file ${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The print of a folder: by its size alone. */
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
