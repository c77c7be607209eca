import { appendFile, rename, stat } from 'node:fs/promises';

/**
 * Appends a line to a file that only the user can read. Above `limit` bytes the file becomes `<file>.1`, replacing an older one, and a new
 * one begins: of the newest lines at least `limit` bytes are always there. The folder must exist.
 */
export async function appendBounded(file: string, line: string, limit: number): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > 0 && size + Buffer.byteLength(line) > limit) await rename(file, `${file}.1`);
  await appendFile(file, line, { mode: 0o600 });
}
