import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The path of a program of ours that runs unchanged, from a folder `assets`: that of the package, or next to the code after bundling into another
 * package.
 * @param from the caller's `import.meta.url`
 */
export function assetPath(name: string, from: string): string {
  for (let folder = dirname(fileURLToPath(from)); ; folder = dirname(folder)) {
    const path = join(folder, 'assets', name);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) throw new Error(`assets/${name} is missing: this installation is not complete`);
  }
}
