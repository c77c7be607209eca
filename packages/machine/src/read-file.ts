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

/** How a file is read. */
export interface ReadLimits {
  /** Bytes. A longer file is not read at all. Default: 1 MiB. */
  readonly limit?: number | undefined;
}

/** How a file of a project is read. */
export interface ProjectRead extends ReadLimits {
  /** A folder of the project: the repository around it is the project, else the folder itself. */
  readonly project: string;
}

/** A file that is there and is not read. The message is a sentence: the path, and why. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const longest = 1024 * 1024;
const mostLinks = 40;

/**
 * Reads a file that belongs to a project, and so may be anything: a pipe, a device, a link to the other end of the machine. Only a
 * regular file of limited length is opened, so that reading never waits and never fills the memory. Symbolic links are followed within
 * the project; nothing outside of it is so much as looked at.
 * @returns the text (UTF-8), or undefined if there is no such file
 * @throws UnreadableFile, which says which file and why
 */
export function readProjectFile(path: string, { project, limit }: ProjectRead): string | undefined {
  return readNamed(path, limit, () => insidePath(path, projectRoot(project)));
}

/**
 * Reads a small file of the user's own: the same, but links may lead anywhere, since settings are often kept elsewhere.
 * @throws UnreadableFile
 */
export function readOwnFile(path: string, { limit }: ReadLimits = {}): string | undefined {
  return readNamed(path, limit, () => realpathSync.native(path));
}

function readNamed(path: string, limit: number | undefined, find: () => string): string | undefined {
  try {
    return readRegular(find(), limit ?? longest);
  } catch (error) {
    if (isMissing(error)) return undefined;
    const reason = error instanceof Refusal ? error.message : systemReason(codeOf(error));
    throw new UnreadableFile(`${path} cannot be read: ${reason}`, { cause: error });
  }
}

/** Why a file is not read. */
class Refusal extends Error {}

function readRegular(real: string, limit: number): string {
  refuseIrregular(lstatSync(real, { bigint: true }));
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants;
  // Windows has none of the latter. If it became a pipe by now, opening it waits for nobody.
  const file = openSync(real, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0) | (O_NOCTTY ?? 0));
  try {
    refuseIrregular(fstatSync(file, { bigint: true }));
    // What a file says of its length need not be so: those of /proc say 0.
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

/** Where a path in a folder leads, step by step. What a link outside of the folder leads to is never touched. */
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
      if (++links > mostLinks) throw systemError('ELOOP');
      if (isAbsolute(target)) at = top;
      steps.unshift(...(isAbsolute(target) ? wayTo(target, folder, top) : target.split(/[\\/]/)));
    }
  }
  return at;
}

/** An absolute link may name the folder as it was given, or as it really is. */
function wayTo(target: string, folder: string, top: string): readonly string[] {
  const way = relative(folder, target).split(sep);
  return way[0] === '..' ? relative(top, target).split(sep) : way;
}
