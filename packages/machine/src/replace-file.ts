import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces a file as a whole: whoever reads it sees the old content or the new one, also after a crash or on a full disk. A link is
 * replaced, not followed.
 * @param content in one piece, or in pieces that are made as they are written
 * @param mode of the file. Default: nobody but the user may read it
 */
export async function replaceFile(
  path: string,
  content: string | AsyncIterable<string>,
  mode: number = 0o600,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await write(draft, content, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function write(path: string, content: string | AsyncIterable<string>, mode: number): Promise<void> {
  await using file = await open(path, 'wx', mode);
  if (typeof content === 'string') await file.appendFile(content);
  else for await (const piece of content) await file.appendFile(piece);
  await file.sync();
}
