import { Places } from '@turnwire/runtime/places';
import { placeFolders } from './place-folders.ts';

/** The places of this user. */
export function ownPlaces(): Places {
  const { records, folder } = placeFolders();
  return new Places(records, folder);
}
