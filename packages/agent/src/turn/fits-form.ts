import type { ElicitationPropertySchema, ElicitationSchema } from '@agentwire/protocol';

/**
 * True if what a client says was filled in is what was asked for: nothing required is missing, and every field has its type, its
 * choices and its limits. Patterns and formats are left to the client; fields that were not asked for are let be.
 */
export function fitsForm({ properties = {}, required }: ElicitationSchema, values: { readonly [field: string]: unknown }): boolean {
  if (required?.some((field) => values[field] === undefined)) return false;
  return Object.entries(properties).every(
    ([field, schema]) => values[field] === undefined || fits(schema, values[field]),
  );
}

function fits(schema: ElicitationPropertySchema, value: unknown): boolean {
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value) && isWithin(value as number, schema.minimum, schema.maximum);
    case 'number':
      return typeof value === 'number' && isWithin(value, schema.minimum, schema.maximum);
    case 'string':
      return (
        typeof value === 'string' &&
        isWithin([...value].length, schema.minLength, schema.maxLength) &&
        isAmong(value, schema.enum ?? schema.oneOf?.map((option) => option.const))
      );
    case 'array':
      return Array.isArray(value) && isWithin(value.length, schema.minItems, schema.maxItems);
    default:
      return true;
  }
}

function isAmong(value: string, choices: readonly string[] | undefined): boolean {
  return choices === undefined || choices.includes(value);
}

function isWithin(value: number, least: number | null | undefined, most: number | null | undefined): boolean {
  return value >= (least ?? -Infinity) && value <= (most ?? Infinity);
}
