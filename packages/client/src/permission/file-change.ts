import { randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withLock } from './rule-file-lock.ts';

/** One change at a time, to what is in the file now, whoever wrote it. The file and its folder are made if they are missing. */
export async function changeFile(path: string, change: (source: string) => string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const real = realOf(path);
  await withLock(real, async () => {
    const before = await readFile(real, 'utf8').catch(ifMissing(''));
    const after = change(before);
    if (after !== before) await replace(real, after);
  });
}

/** Another text after each change of the file. */
export function fileStamp(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`;
  }
}

/** Beside the file and then in its place, so that nobody ever reads half of it. Who may read it stays. */
async function replace(file: string, text: string): Promise<void> {
  const mode = await stat(file).then((found) => found.mode & 0o777, ifMissing(0o644));
  const aside = `${file}.${randomUUID()}`;
  try {
    await using handle = await open(aside, 'wx', mode);
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await rename(aside, file);
}

/** Settings are often links to where somebody keeps them. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
    throw error;
  };
}
