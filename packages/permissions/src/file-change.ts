import { realpathSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LockHeldError, replaceFile, UnreadableFile, withLock } from '@turnwire/machine';
import { TurnwireError } from '@turnwire/protocol';

/** Milliseconds to wait for another process that changes the file, which takes a few. */
const patience = 10_000;

/** A file to change. */
interface ChangedFile {
  readonly path: string;
  /** Its text; undefined if there is none. Throws if it must not be read, and so not be changed. */
  readonly read: () => string | undefined;
  /** The file and its folder are for this user alone. Otherwise others may read them; nobody else ever writes, whatever the umask. */
  readonly isPrivate: boolean;
}

/**
 * Changes the current content of a file, one change at a time across processes. The file and its folder are created if they are missing.
 * Rejects with `invalid-input` if the file must not be read.
 */
export async function changeFile(file: ChangedFile, change: (source: string) => string): Promise<void> {
  const { path } = file;
  readToChange(file);
  await mkdir(dirname(path), { recursive: true, mode: file.isPrivate ? 0o700 : 0o755 });
  const real = realOf(path);
  const work = async (): Promise<void> => {
    const before = readToChange(file);
    const after = change(before);
    // The file's permissions are preserved.
    if (after !== before)
      await replaceFile(real, after, await stat(real).then(modeOf, ifMissing(file.isPrivate ? 0o600 : 0o644)));
  };
  await withLock(`${real}.lock`, work, { timeout: patience }).catch((error: unknown) => {
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

/** Changes with each change of the file. */
export function fileStamp(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`;
  }
}

/** Users often link their settings to other places. */
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
