import { listFiles, withoutInstalled } from '@turnwire/machine';

/** The most files that are offered. */
const mostFiles = 30_000;
/** Time limit of a listing, in milliseconds: the files found by then are offered. */
const patience = 5_000;

/**
 * The files of a folder that its project does not ignore, as relative paths, the nearest first. No program is started:
 * anybody may have written the folder, and git runs what its configuration says.
 */
export async function offeredFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const until = performance.now() + patience;
  for await (const path of listFiles({ folder, globs: withoutInstalled, order: 'breadth' })) {
    if (files.length === mostFiles || performance.now() > until) break;
    files.push(path);
  }
  return files;
}
