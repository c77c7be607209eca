import type { ElicitationPropertySchema, ElicitationSchema, StringPropertySchema } from '@turnwire/protocol';
import { choicesOf } from './form-choices.ts';

/**
 * True if the values sent by a client fit the form: all required fields are present, and every field respects its type, choices and limits.
 * Patterns and formats are left to the client; unknown fields are ignored.
 */
export function fitsForm(
  { properties = {}, required }: ElicitationSchema,
  values: { readonly [field: string]: unknown },
): boolean {
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
      return typeof value === 'string' && fitsText(schema, value);
    case 'array':
      return (
        Array.isArray(value) &&
        isWithin(value.length, schema.minItems, schema.maxItems) &&
        value.every((item) => typeof item === 'string' && isChoice(schema, item))
      );
    default:
      return true;
  }
}

function fitsText(schema: StringPropertySchema, value: string): boolean {
  // JSON Schema counts characters, not UTF-16 units.
  return isWithin(Array.from(value).length, schema.minLength, schema.maxLength) && isChoice(schema, value);
}

function isChoice(schema: object, value: string): boolean {
  return choicesOf(schema)?.some((choice) => choice.value === value) ?? true;
}

function isWithin(value: number, least: number | null | undefined, most: number | null | undefined): boolean {
  return value >= (least ?? -Infinity) && value <= (most ?? Infinity);
}
