import { isObject, type JsonObject } from '../json-rpc/json-object.ts';

/**
 * Values that the official form has no field for are kept by their original key, in an object under this key of the nearest `_meta` or of
 * an error's `data`.
 */
export const asideKey = 'turnwire/dialect';

/** The object without some of its keys. */
export function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The object with a key under its official name. The official key wins when both are there. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  if (object[from] === undefined || object[to] !== undefined) return object;
  const { [from]: value, ...rest } = object;
  return { ...rest, [to]: value };
}

/** The object with keys moved to where values without an official place go. */
export function setAside(object: JsonObject, keys: readonly string[]): JsonObject {
  const found = keys.filter((key) => Object.hasOwn(object, key));
  if (found.length === 0) return object;
  return noted(without(object, found), Object.fromEntries(found.map((key) => [key, object[key]])));
}

/** The object with facts written to its `_meta`. */
export function noted(object: JsonObject, facts: JsonObject): JsonObject {
  const meta = isObject(object['_meta']) ? object['_meta'] : {};
  const earlier = isObject(meta[asideKey]) ? meta[asideKey] : {};
  return { ...object, _meta: { ...meta, [asideKey]: { ...earlier, ...facts } } };
}

/** A map with string values as the list of pairs that the official form wants. Anything else as it is. */
export function mapAsPairs(object: JsonObject, key: string): JsonObject {
  const map = object[key];
  if (!isObject(map) || !Object.values(map).every((value) => typeof value === 'string')) return object;
  return { ...object, [key]: Object.entries(map).map(([name, value]) => ({ name, value })) };
}
