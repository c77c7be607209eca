import { deepFreeze } from './deep-freeze.ts';

/** Texts that are remembered, and how long each may be, in UTF-16 units. */
const [most, longest] = [32, 16_384];

const kept = new Map<string, unknown>();

/**
 * A value of JSON as it is to be kept: a frozen copy, one for all that are equal. A server of ten thousand clients receives the same from most
 * of them.
 */
export function keptValue<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  if (text === undefined || text.length > longest) return value;
  const known = kept.get(text);
  if (known !== undefined) return known as Value;
  if (kept.size >= most) kept.delete(kept.keys().next().value as string);
  const copy = JSON.parse(text) as Value;
  deepFreeze(copy);
  kept.set(text, copy);
  return copy;
}
