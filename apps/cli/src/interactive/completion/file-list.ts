import { listFiles } from '@turnwire/machine';

/** Files that are offered at most. */
const mostFiles = 30_000;
/** How long listing may take, in milliseconds: what was found until then is offered. */
const patience = 5_000;
/** Folders that are left out even where no ignore file says so, since nobody means to name what is in them. */
const skipped = ['!node_modules', '!.venv', '!__pycache__'];

/**
 * The files of a folder that its project does not ignore, with paths relative to it, what is near first. No program is started: a
 * folder may come from anybody, and git runs what the configuration in it says.
 */
export async function offeredFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const until = performance.now() + patience;
  for await (const path of listFiles({ folder, globs: skipped, order: 'breadth' })) {
    if (files.length === mostFiles || performance.now() > until) break;
    files.push(path);
  }
  return files;
}
