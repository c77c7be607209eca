import { basename, dirname, join, resolve } from 'node:path';
import { realPath } from '@turnwire/machine';
import type { NamedPath } from './path-pattern.ts';
import { remembering } from './remembering.ts';

/** The name of an absolute path as given, with the links in it resolved. */
export const namedPath: (path: string) => NamedPath = namingWith(realPath);

/** For one judgement, which comes upon the same words for several reasons, most of them in the same folders. */
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
