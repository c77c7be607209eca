import { constants } from 'node:fs';
import { chmod, copyFile, cp, lstat, mkdir, open, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { entryPath, undefinedIfMissing } from '@turnwire/machine';
import { filePrint, folderPrint, linkPrint } from './path-state.ts';
import { measureTree } from './measure-tree.ts';

/** The previous state of a path, so that it can be restored. */
export type Snapshot =
  /** Nothing. With the parent folders that did not exist either, deepest first. */
  | { readonly kind: 'absent'; readonly print: string; readonly missingFolders: readonly string[] }
  | {
      readonly kind: 'file';
      readonly print: string;
      readonly mode: number;
      readonly blob: string;
      readonly bytes: number;
    }
  | { readonly kind: 'link'; readonly print: string; readonly target: string }
  | {
      readonly kind: 'folder';
      readonly print: string;
      readonly blob: string;
      readonly bytes: number;
      /** Entries that are neither files, folders nor links, and were not stored. */
      readonly leftOut: readonly string[];
    }
  /** An entry that cannot be restored. */
  | { readonly kind: 'unkept'; readonly why: string };

/** Where a snapshot's content is stored. */
export interface BlobLocation {
  /** An existing absolute folder. */
  readonly folder: string;
  /** An unused name in it. */
  readonly blob: string;
  /** The remaining capacity, in bytes. */
  readonly capacity: number;
}

const fileLimit = 32 * 1024 * 1024;

/** Stores the state of a path. Rejects if it cannot be read or stored. */
export async function takeSnapshot(path: string, location: BlobLocation): Promise<Snapshot> {
  const found = await lstat(path).catch(undefinedIfMissing);
  if (found === undefined) return { kind: 'absent', print: 'absent', missingFolders: await missingAbove(path) };
  if (found.isSymbolicLink()) {
    const target = await readlink(path);
    return { kind: 'link', print: linkPrint(target), target };
  }
  if (found.isDirectory()) return takeFolder(path, location);
  if (!found.isFile()) return { kind: 'unkept', why: 'it is not a regular file' };
  if (found.size > Math.min(fileLimit, location.capacity)) return tooLarge(found.size);
  const bytes = await readFile(path);
  await writeBlob(entryPath(location.folder, location.blob), bytes);
  return { kind: 'file', print: filePrint(bytes), mode: found.mode & 0o7777, blob: location.blob, bytes: bytes.length };
}

async function takeFolder(path: string, { folder, blob, capacity }: BlobLocation): Promise<Snapshot> {
  const size = await measureTree(path, { bytes: Math.min(treeLimits.bytes, capacity), entries: treeLimits.entries });
  if (size === undefined)
    return {
      kind: 'unkept',
      why: `the folder is too large: at most ${treeLimits.bytes / 2 ** 20} MiB and ${treeLimits.entries} entries are stored`,
    };
  const special = new Set(size.special);
  await cp(path, entryPath(folder, blob), {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    errorOnExist: true,
    force: false,
    filter: (source) => !special.has(source),
  });
  return { kind: 'folder', print: await folderPrint(path), blob, bytes: size.bytes, leftOut: size.special };
}

const treeLimits = { bytes: 64 * 1024 * 1024, entries: 10_000 };

/**
 * Restores the previous state of a path, atomically.
 * @param mode of a file, in place of the stored one
 */
export async function putBack(
  path: string,
  snapshot: Snapshot,
  { folder, mode }: { folder: string; mode?: number | undefined },
): Promise<void> {
  if (snapshot.kind === 'unkept' || snapshot.kind === 'absent') return;
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    if (snapshot.kind === 'link') await symlink(snapshot.target, draft);
    else if (snapshot.kind === 'folder') await cp(entryPath(folder, snapshot.blob), draft, treeCopy);
    else {
      await copyFile(entryPath(folder, snapshot.blob), draft, constants.COPYFILE_EXCL);
      await chmod(draft, mode ?? snapshot.mode);
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const treeCopy = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true } as const;

async function writeBlob(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
}

/** The parent folders of a path that do not exist, deepest first. */
export async function missingAbove(path: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((await lstat(folder).catch(undefinedIfMissing)) !== undefined || dirname(folder) === folder) return missing;
    missing.push(folder);
  }
}

function tooLarge(size: number): Snapshot {
  return {
    kind: 'unkept',
    why: `the file is too large: it has ${size} bytes, and at most ${fileLimit / 2 ** 20} MiB are stored`,
  };
}
