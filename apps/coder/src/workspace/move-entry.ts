import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  cp,
  link,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  utimes,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '@turnwire/machine';

/**
 * Moves a file, a folder with its contents, or a symbolic link itself, across devices if necessary. An entry that appears at
 * the new path in the meantime is never overwritten. The target folder must exist.
 * @throws the system's error, `EEXIST` if the path is taken: then nothing was moved, except after a copy to another
 *   device, when the original may be left in part
 */
export async function moveEntry(from: string, to: string): Promise<void> {
  const found = await lstat(from);
  if (await isSameUnderOtherName(from, to)) return rename(from, to);
  if (found.isSymbolicLink()) return moveLink(from, to);
  if (found.isDirectory()) return moveFolder(from, to);
  return found.isFile() ? moveFile(from, to) : moveUnlessThere(from, to);
}

/** Whether two paths differ only in capitals, on a case-insensitive disk. */
export async function isSameUnderOtherName(from: string, to: string): Promise<boolean> {
  if (from === to || from.toLowerCase() !== to.toLowerCase() || dirname(from) !== dirname(to)) return false;
  const [one, other] = await Promise.all([lstat(from), lstat(to).catch(() => undefined)]);
  if (other === undefined || one.ino !== other.ino || one.dev !== other.dev) return false;
  // Not for two existing names of one file.
  return !(await readdir(dirname(to))).includes(basename(to));
}

// A hard link never replaces an existing file; renaming would.
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'EXDEV') return copyFileOver(from, to);
    if (cannotLink.has(codeOf(error) ?? '')) return moveUnlessThere(from, to);
    throw error;
  }
  await unlink(from).catch(rollBack(() => unlink(to)));
}

const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function copyFileOver(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  const { atime, mtime } = await lstat(from);
  await utimes(to, atime, mtime).catch(() => undefined);
  await unlink(from).catch(rollBack(() => unlink(to)));
}

async function moveLink(from: string, to: string): Promise<void> {
  await symlink(await readlink(from), to);
  await unlink(from).catch(rollBack(() => unlink(to)));
}

async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await renameFolder(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    await copyFolderOver(from, to);
  }
}

// Renaming a folder may only replace an empty one of our own; Windows never replaces one.
async function renameFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') return moveUnlessThere(from, to);
  await mkdir(to);
  await rename(from, to).catch(rollBack(() => rmdir(to)));
}

async function copyFolderOver(from: string, to: string): Promise<void> {
  const draft = join(dirname(to), `.${basename(to).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await renameFolder(draft, to);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await rm(from, { recursive: true });
}

async function moveUnlessThere(from: string, to: string): Promise<void> {
  const there = await lstat(to).catch(() => undefined);
  if (there !== undefined) throw Object.assign(new Error('EEXIST: the path exists already'), { code: 'EEXIST' });
  await rename(from, to);
}

/** A failed attempt leaves everything as it was. */
function rollBack(undo: () => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    await undo().catch(() => undefined);
    throw error;
  };
}
