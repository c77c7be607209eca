import { constants } from 'node:fs';
import { chmod, copyFile, cp, lstat, mkdir, open, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { entryPath, undefinedIfMissing } from '@turnwire/machine';
import { filePrint, folderPrint, linkPrint } from './path-state.ts';
import { measureTree } from './measure-tree.ts';

/** What was at a path, so that it can be put there again. */
export type Snapshot =
  /** Nothing. The folders that were not there either, deepest first. */
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
      /** What is neither file, folder nor link, and was not kept. */
      readonly leftOut: readonly string[];
    }
  /** Something that cannot be put back. */
  | { readonly kind: 'unkept'; readonly why: string };

/** Where a snapshot's content goes. */
export interface BlobPlace {
  /** Absolute folder, which exists. */
  readonly folder: string;
  /** A name not used there yet. */
  readonly blob: string;
  /** What may still be kept, in bytes. */
  readonly room: number;
}

const fileLimit = 32 * 1024 * 1024;

/** Keeps what is at a path. Rejects when it cannot be read, or not be kept. */
export async function takeSnapshot(path: string, place: BlobPlace): Promise<Snapshot> {
  const found = await lstat(path).catch(undefinedIfMissing);
  if (found === undefined) return { kind: 'absent', print: 'absent', missingFolders: await missingAbove(path) };
  if (found.isSymbolicLink()) {
    const target = await readlink(path);
    return { kind: 'link', print: linkPrint(target), target };
  }
  if (found.isDirectory()) return takeFolder(path, place);
  if (!found.isFile()) return { kind: 'unkept', why: 'it is no regular file' };
  if (found.size > Math.min(fileLimit, place.room)) return tooLarge(found.size);
  const bytes = await readFile(path);
  await writeBlob(entryPath(place.folder, place.blob), bytes);
  return { kind: 'file', print: filePrint(bytes), mode: found.mode & 0o7777, blob: place.blob, bytes: bytes.length };
}

async function takeFolder(path: string, { folder, blob, room }: BlobPlace): Promise<Snapshot> {
  const size = await measureTree(path, { bytes: Math.min(treeLimits.bytes, room), entries: treeLimits.entries });
  if (size === undefined)
    return {
      kind: 'unkept',
      why: `it is too large a folder: at most ${treeLimits.bytes / 2 ** 20} MiB and ${treeLimits.entries} entries are kept`,
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
 * Puts back what was at a path, in one step: nobody ever sees half of it.
 * @param mode of a file, in place of the one that was kept
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

/** The folders above a path that do not exist, deepest first. */
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
    why: `it is too large: ${size} bytes, and at most ${fileLimit / 2 ** 20} MiB are kept of a file`,
  };
}
