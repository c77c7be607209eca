import { readFile, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type FileChange, textBefore } from '@turnwire/client/changes';
import { isInside, realPath, replaceFile, undefinedIfMissing } from '@turnwire/machine';

/** A file that a session changed, as it is now. */
export interface ChangedFile {
  readonly change: FileChange;
  /** Absolute. */
  readonly path: string;
  /** `null`: there is no such file now. */
  readonly now: string | null;
  /** `null`: there was no such file. Undefined: it was changed by others since, so that its text before is not known. */
  readonly before: string | null | undefined;
  /** Whether it is in the folder of the chat, also by way of links. */
  readonly isInFolder: boolean;
}

/** Looks at a file that a session changed. */
export async function changedFile(change: FileChange, cwd: string): Promise<ChangedFile> {
  const path = resolve(cwd, change.path);
  const now = (await readFile(path, 'utf8').catch(undefinedIfMissing)) ?? null;
  const [folder, real] = [realPath(cwd), realPath(path)];
  const isInFolder = folder !== undefined && real !== undefined && isInside(folder, real);
  return { change, path, now, before: textBefore(now, change), isInFolder };
}

/** Gives a file the text that it had before the session. Resolves with false, and does nothing, if it was changed since it was looked at. */
export async function undoChange(
  { change, path, now, before, isInFolder }: ChangedFile,
  cwd: string,
): Promise<boolean> {
  const current = await changedFile(change, cwd);
  if (before === undefined || !isInFolder || !current.isInFolder || current.now !== now) return false;
  if (before === null) await rm(path);
  else await replaceFile(path, before, now === null ? 0o644 : (await stat(path)).mode & 0o777);
  return true;
}
