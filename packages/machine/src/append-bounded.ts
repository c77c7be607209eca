import { appendFile, rename, stat } from 'node:fs/promises';

/**
 * Appends a line to a file that only the user can read. A file that would exceed `limit` bytes is first renamed to `<file>.1`, replacing an older
 * one, so at least the newest `limit` bytes of lines are kept. The folder must exist.
 */
export async function appendBounded(file: string, line: string, limit: number): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > 0 && size + Buffer.byteLength(line) > limit) await rename(file, `${file}.1`);
  await appendFile(file, line, { mode: 0o600 });
}
