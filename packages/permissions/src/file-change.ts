import { realpathSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LockHeldError, replaceFile, UnreadableFile, withLock } from '@turnwire/machine';
import { TurnwireError } from '@turnwire/protocol';

/** The time to wait for another process that changes the file, in milliseconds. Usually it takes only a few. */
const lockTimeout = 10_000;

/** A file to change. */
interface ChangedFile {
  readonly path: string;
  /** Returns its text; undefined if the file does not exist. Throws if it must not be read, and therefore not be changed. */
  readonly read: () => string | undefined;
  /** The maximum number of bytes that `read` accepts. */
  readonly limit: number;
  /** Whether the file and its folder are for this user alone. Otherwise others may read them. Only this user can write, with any umask. */
  readonly isPrivate: boolean;
}

/**
 * Changes the current content of a file, one change at a time across processes. The file and its folder are created if they are missing.
 * Rejects with `invalid-input` if the file must not be read, or could not be read after the change.
 */
export async function changeFile(file: ChangedFile, change: (source: string) => string): Promise<void> {
  const { path } = file;
  readToChange(file);
  await mkdir(dirname(path), { recursive: true, mode: file.isPrivate ? 0o700 : 0o755 });
  const real = realOf(path);
  const work = async (): Promise<void> => {
    const before = readToChange(file);
    const after = change(before);
    if (after.length > before.length && Buffer.byteLength(after) > file.limit)
      throw new TurnwireError(
        'invalid-input',
        `${path} would be longer than the ${file.limit} bytes such a file may have. Nothing was written.`,
      );
    // The file's permissions are preserved.
    if (after !== before)
      await replaceFile(real, after, await stat(real).then(modeOf, ifMissing(file.isPrivate ? 0o600 : 0o644)));
  };
  await withLock(`${real}.lock`, work, { timeout: lockTimeout }).catch((error: unknown) => {
    throw error instanceof LockHeldError ? new TurnwireError('timeout', error.message) : error;
  });
}

function readToChange({ read }: ChangedFile): string {
  try {
    return read() ?? '';
  } catch (cause) {
    if (!(cause instanceof UnreadableFile)) throw cause;
    throw new TurnwireError('invalid-input', `${cause.message} Nothing was written.`, { cause });
  }
}

/** The stamp of a file that does not exist. */
export const missingStamp = 'ENOENT';

/** A stamp that changes with each change of the file. */
export function fileStamp(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`;
  }
}

/** The real path of a file. Users often link their settings to other folders. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function modeOf({ mode }: { readonly mode: number }): number {
  return mode & 0o777;
}

function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
    throw error;
  };
}
