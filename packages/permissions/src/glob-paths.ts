import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { nameMatcher } from '@turnwire/machine';

/** The maximum number of matches. Further ones are ignored. */
const most = 1_000;

/** What a pattern matches. */
export interface GlobMatches {
  /** Absolute paths. */
  readonly paths: readonly string[];
  /** False if the pattern matches more than these. */
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
 * Patterns whose meaning varies: in a range that ends in a named class, as in `[eb-[:digit:]]`, the end of the class in Bash depends on the
 * tested character, and the characters in `[[.e.]]` and `[[=e=]]` depend on the locale.
 */
const isUnclear = /-\[:|\[[.=]/;

/**
 * A test for names. As in shells, a leading dot is only matched by a pattern with a leading dot. An unclear pattern matches every other
 * name.
 */
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
