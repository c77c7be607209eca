import { basename, dirname, join, resolve } from 'node:path';
import { realPath } from '@turnwire/machine';
import type { NamedPath } from './path-pattern.ts';
import { remembering } from './remembering.ts';

/** An absolute path as given, with its real location. */
export const namedPath: (path: string) => NamedPath = namingWith(realPath);

/**
 * A version of {@link namedPath} with a cache, for one decision, which meets the same words several times and mostly in the same folders.
 */
export function namingOnce(): typeof namedPath {
  return remembering(namingWith(remembering(realPath)));
}

function namingWith(findReal: typeof realPath): (path: string) => NamedPath {
  return (path) => {
    const named = resolve(path);
    const real = findReal(path);
    const folder = real === undefined ? undefined : findReal(dirname(named));
    return { named, real, place: folder && join(folder, basename(named)) };
  };
}
