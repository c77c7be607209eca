import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolder } from '@turnwire/machine';

/** A file that is tracked by git. */
interface TrackedFile {
  /** Relative to the repository. */
  readonly path: string;
  /** The name of its content. */
  readonly id: string;
}

/** Bytes of the longest index that is read. */
const longest = 8 * 1024 * 1024;

/** The files in the index of a repository, without running git. Undefined if it cannot be read; empty before the first one is added. */
export function trackedFiles(repository: string): readonly TrackedFile[] | undefined {
  try {
    const folder = gitFolder(repository);
    const bytes = readBytes(join(folder, 'index'));
    if (bytes) return entriesOf(bytes);
    // One that is gone while there are branches was removed.
    return readdirSync(join(folder, 'refs/heads')).length === 0 && !existsSync(join(folder, 'packed-refs'))
      ? []
      : undefined;
  } catch {
    return undefined;
  }
}

/** Only a regular file: a pipe would block. */
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

/** Where the parts of an entry are, in bytes: https://git-scm.com/docs/index-format */
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
    // With names of another length, as of SHA-256, all of it is elsewhere.
    if ((flags & 0xfff) !== Math.min(path.length, 0xfff)) throw new Error('not an index');
    files.push({ path, id: bytes.toString('hex', start + at.id, start + at.flags) });
    start = version === 4 ? end + 1 : start + Math.ceil((end - start + 1) / 8) * 8;
  }
  refuseParts(bytes, start);
  return files.map(({ path, id }) => ({ path: Buffer.from(path, 'latin1').toString('utf8'), id }));
}

/** Throws if some of the files are in another index, or stand for folders. */
function refuseParts(bytes: Buffer, end: number): void {
  for (let start = end; start + 8 <= bytes.length - 20; start += 8 + bytes.readUInt32BE(start + 4))
    if (/^(?:link|sdir)$/.test(bytes.toString('latin1', start, start + 4))) throw new Error('not all of an index');
}

/** In version 4 a path is the one before it without so many bytes at its end, and more. */
function keptLength(bytes: Buffer, start: number): { readonly removed: number; readonly from: number } {
  let removed = bytes.readUInt8(start) & 0x7f;
  let from = start + 1;
  for (; (bytes.readUInt8(from - 1) & 0x80) !== 0; from++)
    removed = (removed + 1) * 128 + (bytes.readUInt8(from) & 0x7f);
  return { removed, from };
}
