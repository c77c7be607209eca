import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OwnFolders, ownFoldersReason } from '@turnwire/machine';
import { contentError, unreadable } from './content-error.ts';

/** A file or folder to attach. */
export interface AttachedFile {
  /** An absolute path. */
  readonly path: string;
  /** `file://…`; for a folder it ends with a slash. */
  readonly uri: string;
  /** The last part of the path. */
  readonly title: string;
  readonly stats: Stats;
}

/**
 * Finds a file or folder to attach.
 * @throws TurnwireError `invalid-input` if it does not exist, is neither file nor folder, or belongs to Turnwire
 */
export async function attachedFile(path: string, cwd: string | undefined): Promise<AttachedFile> {
  const absolute = absolutePath(path, cwd);
  const stats = await stat(absolute).catch((error: unknown) => {
    throw unreadable(absolute, error);
  });
  if (new OwnFolders().hold(await realpath(absolute).catch(() => absolute))) {
    throw contentError(absolute, `${ownFoldersReason}.`);
  }
  if (!stats.isFile() && !stats.isDirectory()) {
    throw contentError(absolute, 'it is a pipe, a socket or a device. Only files and folders can be attached.');
  }
  const uri = pathToFileURL(stats.isDirectory() ? `${absolute}/` : absolute).href;
  return { path: absolute, uri, title: basename(absolute) || absolute, stats };
}

/** The first bytes of a file, up to `limit`. */
export async function firstBytes({ path }: AttachedFile, limit: number): Promise<Buffer> {
  try {
    await using file = await openNow(path);
    return await read(file, limit);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function absolutePath(path: string, cwd: string | undefined): string {
  if (path === '' || path.includes('\0')) throw contentError(JSON.stringify(path), 'it is not a path.');
  if (cwd !== undefined) return resolve(cwd, path);
  if (isAbsolute(path)) return resolve(path);
  throw contentError(path, 'the path is relative, and no working directory was given. Use an absolute path.');
}

// The file may have become a pipe in the meantime, and opening it must not block.
async function openNow(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

async function read(file: FileHandle, limit: number): Promise<Buffer> {
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.min(limit, size));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
