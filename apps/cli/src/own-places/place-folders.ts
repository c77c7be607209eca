import { dirname, join } from 'node:path';
import { dataFolder, isInside, realPath, stateFolder } from '@turnwire/machine';
import { originOf } from '@turnwire/runtime/places';

/** Where places and their records are stored. Sessions cannot access the records; the places are in a folder next to our own data. */
export function placeFolders(): { readonly records: string; readonly folder: string } {
  const folder = join(dirname(dataFolder()), 'turnwire-places');
  return { records: join(stateFolder(), 'places'), folder: realPath(folder) ?? folder };
}

/** The path in the project that corresponds to a path in a place; any other path itself. */
export function originFolder(path: string): string {
  const own = placeFolders();
  return isInside(own.folder, path) ? originOf(path, own) : path;
}
