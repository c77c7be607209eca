import { join, relative } from 'node:path';
import { isInside } from '@turnwire/machine';
import type { Place } from './place.ts';
import { PlaceRecords } from './place-records.ts';

/** The place that contains a path, by its record. */
export function placeAt(records: PlaceRecords, folder: string, path: string): Place | undefined {
  if (!isInside(folder, path)) return undefined;
  const [name = ''] = relative(folder, path).split(/[\\/]/);
  return records.find(name);
}

/**
 * The folder of the origin that corresponds to a folder in a place; any other folder itself. Starts no program.
 * @param where `records` and `folder` as for `Places`
 */
export function originOf(
  path: string,
  { records, folder }: { readonly records: string; readonly folder: string },
): string {
  const place = placeAt(new PlaceRecords(records), folder, path);
  return place && isInside(place.folder, path) ? join(place.origin, relative(place.folder, path)) : path;
}
