import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder and those above it, up to the root of the repository it is in; only itself if it is in none. */
export function foldersUpwards(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

/** What a folder's project is: the repository it is in, else itself. */
export function projectRoot(folder: string): string {
  return foldersUpwards(folder).at(-1) ?? folder;
}
