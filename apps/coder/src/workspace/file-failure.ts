import type { StatsBase } from 'node:fs';
import { ToolError } from '../tools/tool-error.ts';

/** What was to be done with a file. */
export type FileAction = 'reached' | 'read' | 'written';

/** What an error of the file system means, in words that name the file as it was asked for. Whatever else it is stays what it is. */
export function fileFailure(error: unknown, shown: string, action: FileAction): Error {
  if (error instanceof ToolError) return error;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error(String(error));
  const unharmed = action === 'written' ? ' Nothing was written; what was there is unchanged.' : '';
  return new ToolError(`${shown} cannot be ${action}: ${reasons[code] ?? `the system says ${code}.`}${unharmed}`);
}

/** It is a folder, or what reading could block on or set in motion. */
export function notRegular(shown: string, stats: StatsBase<bigint>): ToolError {
  return new ToolError(
    stats.isDirectory() ? `${shown} is a folder, not a file.` : `${shown} is ${kindOf(stats)}, not a regular file.`,
  );
}

/** Something was exchanged for something else between looking at it and using it. */
export function moved(shown: string): ToolError {
  return new ToolError(`${shown} was moved or replaced in the meantime; nothing was done. Try again.`);
}

/** The code of an error of the system: `ENOENT`, say. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether an error says that there is nothing at a path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied (EACCES). Check the permissions of the file and its folder.',
  EPERM: 'the operation is not permitted (EPERM). Check the permissions of the file and its folder.',
  EROFS: 'the file system is read-only (EROFS).',
  ENOSPC: 'no space is left on the disk (ENOSPC).',
  EDQUOT: 'the disk quota is used up (EDQUOT).',
  EFBIG: 'it would be larger than files may be (EFBIG).',
  EBUSY: 'it is in use (EBUSY).',
  EMFILE: 'too many files are open (EMFILE). Try again.',
  ENFILE: 'too many files are open (ENFILE). Try again.',
  EIO: 'the disk failed (EIO).',
  EISDIR: 'it is a folder.',
  ENOTDIR: 'a part of its path is a file, not a folder (ENOTDIR).',
  ENAMETOOLONG: 'a name in its path is longer than the file system allows (ENAMETOOLONG).',
  ELOOP: 'its path goes through too many symbolic links (ELOOP).',
  ENOENT: 'its folder vanished (ENOENT). Try again.',
};

function kindOf(stats: StatsBase<bigint>): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isSymbolicLink() ? 'a symbolic link' : 'a device';
}
