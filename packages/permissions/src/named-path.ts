import { basename, dirname, join, resolve } from 'node:path';
import { realPath } from '@turnwire/machine';
import type { NamedPath } from './path-pattern.ts';
import { memoized } from './memoized.ts';

/** An absolute path as given, with its real location. */
export const namedPath: (path: string) => NamedPath = namingWith(realPath);

/**
 * A version of {@link namedPath} with a cache, for one decision, which meets the same words several times and mostly in the same folders.
 */
export function memoizedNaming(): typeof namedPath {
  return memoized(namingWith(memoized(realPath)));
}

function namingWith(findReal: typeof realPath): (path: string) => NamedPath {
  return (path) => {
    const named = resolve(path);
    const real = findReal(path);
    const folder = real === undefined ? undefined : findReal(dirname(named));
    return { named, real, location: folder && join(folder, basename(named)) };
  };
}
