import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { codeOf, isMissing, kindOf, systemError, systemReason } from './system-reason.ts';
import { isInside } from './is-inside.ts';
import { projectRoot } from './project-root.ts';

/** Limits of reading a file. */
export interface ReadLimits {
  /** Bytes. A longer file is refused. Default: 1 MiB. */
  readonly limit?: number | undefined;
}

/** How a file of a project is read. */
export interface ProjectRead extends ReadLimits {
  /** A folder of the project: the repository around it is the project, else the folder itself. */
  readonly project: string;
}

/** A file that exists but is not read. The message is a sentence: the path, and the reason. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const longest = 1024 * 1024;
const maxLinks = 40;

/**
 * Reads a file that belongs to a project, and so may be anything: a pipe, a device, a link to any other file. Only a regular file of limited length
 * is opened, so that reading never blocks and never fills the memory. Symbolic links are followed within the project; nothing outside of it is
 * accessed.
 * @returns the text (UTF-8), or undefined for a missing file
 * @throws UnreadableFile, which names the file and the reason
 */
export function readProjectFile(path: string, { project, limit }: ProjectRead): string | undefined {
  return readNamed(path, limit, () => insidePath(path, projectRoot(project)));
}

/**
 * Reads a small file of the user's own: the same, but links may lead anywhere, since users link their settings to other folders.
 * @throws UnreadableFile
 */
export function readOwnFile(path: string, { limit }: ReadLimits = {}): string | undefined {
  return readNamed(path, limit, () => realpathSync.native(path));
}

function readNamed(path: string, limit: number | undefined, find: () => string): string | undefined {
  try {
    // Some editors start a file with a byte order mark, which is not part of the settings.
    return readRegular(find(), limit ?? longest).replace(/^\ufeff/, '');
  } catch (error) {
    if (isMissing(error)) return undefined;
    const reason = error instanceof Refusal ? error.message : systemReason(codeOf(error));
    throw new UnreadableFile(`${path} cannot be read: ${reason}`, { cause: error });
  }
}

/** The reason for not reading a file. */
class Refusal extends Error {}

function readRegular(real: string, limit: number): string {
  refuseIrregular(lstatSync(real, { bigint: true }));
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants;
  // Windows lacks the latter flags. They keep opening from blocking if the file has just been replaced by a pipe.
  const file = openSync(real, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0) | (O_NOCTTY ?? 0));
  try {
    refuseIrregular(fstatSync(file, { bigint: true }));
    // The reported size may be wrong: files in /proc report 0.
    const pieces: Buffer[] = [];
    for (let length = 0, more = 1; more > 0; length += more) {
      if (length > limit) throw new Refusal(`it is longer than the ${limit} bytes such a file may have.`);
      const piece = Buffer.alloc(Math.min(limit - length + 1, 64 * 1024));
      more = readSync(file, piece, 0, piece.length, null);
      pieces.push(piece.subarray(0, more));
    }
    return Buffer.concat(pieces).toString('utf8');
  } finally {
    closeSync(file);
  }
}

function refuseIrregular(stats: BigIntStats): void {
  if (!stats.isFile()) throw new Refusal(`it is ${kindOf(stats)}, and only regular files are read.`);
}

/** Resolves a path in a folder step by step. The target of a link out of the folder is never accessed. */
function insidePath(path: string, folder: string): string {
  const top = realpathSync.native(folder);
  const steps = relative(folder, path).split(sep);
  let at = top;
  let links = 0;
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const next = join(at, step);
    if (!isInside(top, next)) throw new Refusal(`a symbolic link leads out of ${folder}.`);
    const target = lstatSync(next).isSymbolicLink() ? readlinkSync(next) : undefined;
    if (target === undefined) at = next;
    else {
      if (++links > maxLinks) throw systemError('ELOOP');
      if (isAbsolute(target)) at = top;
      steps.unshift(...(isAbsolute(target) ? wayTo(target, folder, top) : target.split(/[\\/]/)));
    }
  }
  return at;
}

/** An absolute link may name the folder as given, or as resolved. */
function wayTo(target: string, folder: string, top: string): readonly string[] {
  const way = relative(folder, target).split(sep);
  return way[0] === '..' ? relative(top, target).split(sep) : way;
}
