import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolder } from '@turnwire/machine';

/** A file that is tracked by git. */
interface TrackedFile {
  /** Relative to the repository. */
  readonly path: string;
  /** The hash of its content. */
  readonly id: string;
}

/** The maximum size of an index in bytes. */
const longest = 8 * 1024 * 1024;

/**
 * The files in the index of a repository, without running git. Undefined if the index cannot be read; empty before the first file is added.
 */
export function trackedFiles(repository: string): readonly TrackedFile[] | undefined {
  try {
    const folder = gitFolder(repository);
    const bytes = readBytes(join(folder, 'index'));
    if (bytes) return entriesOf(bytes);
    // A missing index in a repository with branches was removed.
    return readdirSync(join(folder, 'refs/heads')).length === 0 && !existsSync(join(folder, 'packed-refs'))
      ? []
      : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a regular file only, because a pipe would block. */
function readBytes(path: string): Buffer | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > longest) throw new Error('not an index');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The offsets in an index and its entries, in bytes: https://git-scm.com/docs/index-format */
const at = { entries: 12, id: 40, flags: 60, path: 62 } as const;

function entriesOf(bytes: Buffer): readonly TrackedFile[] {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) throw new Error('not an index');
  const files: TrackedFile[] = [];
  let start: number = at.entries;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(start + at.flags);
    const named = start + at.path + ((flags & 0x4000) === 0 ? 0 : 2);
    const kept = version === 4 ? keptLength(bytes, named) : { removed: Infinity, from: named };
    const end = bytes.indexOf(0, kept.from);
    const before = files.at(-1)?.path ?? '';
    const path = `${before.slice(0, Math.max(0, before.length - kept.removed))}${bytes.toString('latin1', kept.from, end)}`;
    // Hashes of another length, such as SHA-256, shift all offsets.
    if ((flags & 0xfff) !== Math.min(path.length, 0xfff)) throw new Error('not an index');
    files.push({ path, id: bytes.toString('hex', start + at.id, start + at.flags) });
    start = version === 4 ? end + 1 : start + Math.ceil((end - start + 1) / 8) * 8;
  }
  refuseParts(bytes, start);
  return files.map(({ path, id }) => ({ path: Buffer.from(path, 'latin1').toString('utf8'), id }));
}

/** Throws if the index is split, or if an entry is a whole folder. */
function refuseParts(bytes: Buffer, end: number): void {
  for (let start = end; start + 8 <= bytes.length - 20; start += 8 + bytes.readUInt32BE(start + 4))
    if (/^(?:link|sdir)$/.test(bytes.toString('latin1', start, start + 4))) throw new Error('not all of an index');
}

/** In version 4 a path drops this number of bytes from the end of the previous path, and appends its own. */
function keptLength(bytes: Buffer, start: number): { readonly removed: number; readonly from: number } {
  let removed = bytes.readUInt8(start) & 0x7f;
  let from = start + 1;
  for (; (bytes.readUInt8(from - 1) & 0x80) !== 0; from++)
    removed = (removed + 1) * 128 + (bytes.readUInt8(from) & 0x7f);
  return { removed, from };
}
