import { deepFreeze } from './deep-freeze.ts';

/** How many texts are remembered. */
const most = 32;

/** How long each may be, in UTF-16 units. */
const longest = 16_384;

const kept = new Map<string, unknown>();

/**
 * A JSON value to store: a frozen copy that all equal values share. A server of ten thousand clients receives the same from most
 * of them.
 */
export function keptValue<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  if (text === undefined || text.length > longest) return value;
  const known = kept.get(text);
  const copy = (known ?? JSON.parse(text)) as Value;
  if (known === undefined) deepFreeze(copy);
  // The one that was kept longest without being needed makes room.
  kept.delete(text);
  kept.set(text, copy);
  if (kept.size > most) kept.delete(kept.keys().next().value as string);
  return copy;
}
