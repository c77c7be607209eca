import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { nameMatcher } from '@turnwire/machine';

/** More entries are ignored. */
const most = 1_000;

/** The files that match a shell's pattern such as `src/*.ts` or `[!a]?` in a folder: absolute paths, 1,000 at most. */
export function globPaths(folder: string, pattern: string): readonly string[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  return parts.reduce<readonly string[]>(below, [pattern.startsWith('/') ? '/' : folder]);
}

function below(folders: readonly string[], part: string): readonly string[] {
  if (!/[*?[]/.test(part)) return folders.map((folder) => resolve(folder, part));
  const isMeant = matcher(part);
  return folders
    .flatMap((folder) => namesIn(folder).flatMap((name) => (isMeant(name) ? [resolve(folder, name)] : [])))
    .slice(0, most);
}

/** A range that ends in a named class, as in `[eb-[:digit:]]`: where Bash sees the end of the class depends on the character it tests. */
const endsInTwoPlaces = /-\[[:.=]/;

/** As in shells, a name with a leading dot only matches a pattern with one. A pattern that can be read in two ways matches every other name. */
function matcher(part: string): (name: string) => boolean {
  const matches = endsInTwoPlaces.test(part) ? () => true : nameMatcher(part, { classes: true });
  return (name) => (!name.startsWith('.') || part.startsWith('.')) && matches(name);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
