import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/** Creates a temporary folder for its owner alone, which is deleted when this process ends, unless it is killed. */
export function makeTemporaryFolder(): string {
  if (folders.size === 0) process.on('exit', removeAll);
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-undo-'));
  folders.add(folder);
  return folder;
}

/** Removes a folder that {@link makeTemporaryFolder} made. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
