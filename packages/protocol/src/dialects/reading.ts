import type { DialectContext, Reading } from './dialect.ts';
import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { applied, type Rule } from './rule.ts';

/** DialectContext for asking whether a value would be rewritten. One whose rewriting takes more than these fails the schema. */
export const nowhere: DialectContext = { freshId: (prefix) => prefix };

/** Reads parameters by rules. It suspects exactly what the rules would change. */
export function paramsReading(rules: readonly Rule[]): Reading {
  const rewrite = (value: unknown, context: DialectContext): unknown =>
    isObject(value) ? applied(rules, value, context) : value;
  return { rewrite, suspects: (value) => rewrite(value, nowhere) !== value };
}

const nothing: JsonObject = {};

/** Reads a result by rules, `null` like an empty one. It suspects every result, because the meaning of an answer depends on the request. */
export function resultReading(rules: readonly Rule[]): Reading {
  const rewrite = (value: unknown, context: DialectContext): unknown => {
    const object = value ?? nothing;
    if (!isObject(object)) return value;
    const result = applied(rules, object, context);
    return result === nothing ? value : result;
  };
  return { rewrite, suspects: () => true };
}
