import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { nameMatcher } from '@turnwire/machine';

/** More entries are ignored. */
const most = 1_000;

/** What a pattern matches. */
export interface GlobMatches {
  /** Absolute. */
  readonly paths: readonly string[];
  /** False if it matches more than these. */
  readonly isWhole: boolean;
}

/** The files that match a shell's pattern such as `src/*.ts` or `[!a]?` in a folder: 1,000 at most. */
export function globPaths(folder: string, pattern: string): GlobMatches {
  const parts = pattern.split('/').filter((part) => part !== '');
  return parts.reduce(below, { paths: [pattern.startsWith('/') ? '/' : folder], isWhole: true });
}

function below({ paths, isWhole }: GlobMatches, part: string): GlobMatches {
  if (!/[*?[]/.test(part)) return { paths: paths.map((path) => resolve(path, part)), isWhole };
  const isMeant = matcher(part);
  const found = paths.flatMap((path) => namesIn(path).flatMap((name) => (isMeant(name) ? [resolve(path, name)] : [])));
  return { paths: found.slice(0, most), isWhole: isWhole && found.length <= most };
}

/**
 * A range that ends in a named class, as in `[eb-[:digit:]]`: where Bash sees the end of the class depends on the character it tests. And what
 * stands for a character by its name or its like, as in `[[.e.]]` and `[[=e=]]`: which these are depends on the language.
 */
const isUnclear = /-\[:|\[[.=]/;

/** As in shells, a name with a leading dot only matches a pattern with one. An unclear pattern matches every other name. */
function matcher(part: string): (name: string) => boolean {
  const matches = isUnclear.test(part) ? () => true : nameMatcher(part, { classes: true });
  return (name) => (!name.startsWith('.') || part.startsWith('.')) && matches(name);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
