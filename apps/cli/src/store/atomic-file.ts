import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';

/** Replaces a file as a whole: whoever reads it sees the old text or the new one, also after a crash or on a full disk. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await withTemporary(path, text, (temporary) => rename(temporary, path));
}

/** Makes a file with its whole text, unless there is one. Of several at once, one makes it. @returns whether it was this one */
export async function createFile(path: string, text: string): Promise<boolean> {
  return withTemporary(path, text, (temporary) => linkUnlessThere(temporary, path));
}

async function withTemporary<Result>(
  path: string,
  text: string,
  use: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeDown(temporary, text);
    return await use(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeDown(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
}

async function linkUnlessThere(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
