import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder and its parents up to the root of its repository; outside of a repository, only the folder itself. */
export function foldersUpwards(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

/** The project of a folder: its repository, else itself. */
export function projectRoot(folder: string): string {
  return foldersUpwards(folder).at(-1) ?? folder;
}
