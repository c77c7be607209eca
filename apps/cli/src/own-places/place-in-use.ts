import { isInside } from '@turnwire/machine';
import { placeFolders } from './place-folders.ts';

/** Marks the place of a folder as used until the mark is disposed of or this process ends. Resolves with undefined if the folder is in no place. */
export async function placeInUse(cwd: string): Promise<AsyncDisposable | undefined> {
  if (!isInside(placeFolders().folder, cwd)) return undefined;
  const { ownPlaces } = await import('./own-places.ts');
  const places = ownPlaces();
  const place = places.at(cwd);
  return place && places.use(place.name);
}
