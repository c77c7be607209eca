import { deepFreeze } from './deep-freeze.ts';

/** How many texts are remembered. */
const most = 32;

/** How long each may be, in UTF-16 units. */
const longest = 16_384;

const kept = new Map<string, unknown>();

/**
 * A value of JSON as it is to be kept: a frozen copy, one for all that are equal. A server of ten thousand clients receives the same from most
 * of them.
 */
export function keptValue<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  if (text === undefined || text.length > longest) return value;
  if (!kept.has(text)) {
    if (kept.size >= most) kept.delete(kept.keys().next().value as string);
    const copy: unknown = JSON.parse(text);
    deepFreeze(copy);
    kept.set(text, copy);
  }
  return kept.get(text) as Value;
}
