import type { StatsBase } from 'node:fs';

/** Explains an error of the file system, as the end of a sentence: `permission denied (EACCES). Check …`. */
export function systemReason(code: string | undefined): string {
  return (code === undefined ? undefined : reasons[code]) ?? `the system reports ${code ?? 'no reason'}.`;
}

/** An error of the file system as a sentence: `/a/b cannot be made: permission denied (EACCES). Check …`. Undefined for any other error. */
export function systemFailure(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const { syscall = '', path = 'a file' } = error as NodeJS.ErrnoException;
  const action = Object.hasOwn(actions, syscall) ? actions[syscall] : undefined;
  const reason = code === 'ENOENT' ? 'there is no such file or folder.' : systemReason(code);
  return action === undefined ? undefined : `${path} cannot be ${action}: ${reason}`;
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether an error means that nothing exists at a path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** For `catch`: returns undefined if nothing exists, and throws any other error. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** An error like those of the system, for conditions that are detected before a system call. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The kind of a file, with its article: `a named pipe`. */
export function kindOf(stats: StatsBase<bigint>): string {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isSymbolicLink() ? 'a symbolic link' : 'a device';
}

const actions: Readonly<Record<string, string>> = {
  mkdir: 'made',
  mkdtemp: 'made',
  open: 'opened',
  read: 'read',
  scandir: 'read',
  opendir: 'read',
  stat: 'read',
  lstat: 'read',
  realpath: 'read',
  write: 'written',
  fsync: 'written',
  ftruncate: 'written',
  copyfile: 'copied',
  rename: 'renamed',
  chmod: 'changed',
  unlink: 'deleted',
  rmdir: 'deleted',
  rm: 'deleted',
};

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied (EACCES). Check the permissions of the file and its folder.',
  EPERM: 'the operation is not permitted (EPERM). Check the permissions of the file and its folder.',
  EROFS: 'the file system is read-only (EROFS).',
  ENOSPC: 'no space is left on the disk (ENOSPC). Free some space.',
  EDQUOT: 'the disk quota is used up (EDQUOT). Free some space.',
  EFBIG: 'it would exceed the maximum size of a file (EFBIG).',
  EBUSY: 'it is in use (EBUSY).',
  EMFILE: 'too many files are open (EMFILE). Try again.',
  ENFILE: 'too many files are open (ENFILE). Try again.',
  EIO: 'the disk failed (EIO).',
  EISDIR: 'it is a folder. Name a file in it.',
  ENOTDIR: 'a part of the path is a file, not a folder.',
  ENAMETOOLONG: 'the path, or a name in it, is longer than the file system allows.',
  ELOOP: 'it goes through too many symbolic links.',
  ENOENT: 'a folder in its path was removed. Try again.',
};
