import fc from 'fast-check';
import { arbitraryJson } from './arbitrary.ts';

/** Replaces one part of a value, which `place` selects among all of them; without a substitute it removes the part. */
interface Damage {
  readonly place: number;
  readonly substitute: unknown;
}

export const arbitraryDamage: fc.Arbitrary<Damage> = fc.record({
  place: fc.nat(),
  substitute: fc.oneof(arbitraryJson, fc.constantFrom(null, undefined, [], {}, '', -1, 1.5, [null], { type: null })),
});

/** The value with one of its parts replaced or removed. It is changed in place. */
export function inflict(value: unknown, { place, substitute }: Damage): unknown {
  const places = placesIn(value);
  const chosen = places[place % (places.length + 1)];
  const fresh: unknown = structuredClone(substitute ?? null);
  if (!chosen) return fresh;
  const [owner, key] = chosen;
  if (substitute === undefined && !Array.isArray(owner)) delete owner[key];
  else Object.defineProperty(owner, key, { value: fresh, configurable: true, enumerable: true, writable: true });
  return value;
}

type Owner = { [key: string]: unknown };

function placesIn(value: unknown): readonly (readonly [Owner, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const owner = value as Owner;
  return Object.keys(owner).flatMap((key) => [[owner, key] as const, ...placesIn(owner[key])]);
}
