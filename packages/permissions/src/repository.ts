import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder whose configuration git would use: one that contains `.git`, or one that looks like a bare repository. */
export function repositoryOf(folder: string): string | undefined {
  const has = (name: string): boolean => existsSync(join(folder, name));
  if (has('.git') || (has('HEAD') && (has('objects') || has('refs') || has('config') || has('commondir'))))
    return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}
