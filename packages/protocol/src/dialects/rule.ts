import type { DialectContext } from './dialect.ts';
import { isObject, type JsonObject } from '../json-rpc/json-object.ts';

/**
 * Rewrites one deviation in one kind of object. Pure; returns the very same object when there is nothing to rewrite, so that
 * asking "would this change anything?" costs a few property reads.
 */
export type Rule = (object: JsonObject, context: DialectContext) => JsonObject;

/** The object after all rules, in order. */
export function applied(rules: readonly Rule[], object: JsonObject, context: DialectContext): JsonObject {
  let result = object;
  for (const rule of rules) result = rule(result, context);
  return result;
}

/** A rule for an object that applies rules to the object under one of its keys. */
export function within(key: string, rules: readonly Rule[]): Rule {
  return (object, context) => {
    const inner = object[key];
    if (!isObject(inner)) return object;
    const result = applied(rules, inner, context);
    return result === inner ? object : { ...object, [key]: result };
  };
}

/** A rule for an object that applies rules to each object in the list under one of its keys. Allocates nothing unless an item changes. */
export function each(key: string, rules: readonly Rule[]): Rule {
  return (object, context) => {
    const list: unknown = object[key];
    if (!Array.isArray(list)) return object;
    let changed: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const item: unknown = list[index];
      if (!isObject(item)) continue;
      const result = applied(rules, item, context);
      if (result === item) continue;
      changed ??= [...(list as unknown[])];
      changed[index] = result;
    }
    return changed === undefined ? object : { ...object, [key]: changed };
  };
}
