type Schema = Readonly<Record<string, unknown>>;

/**
 * Shortens a JSON Schema for models, since every request carries the schemas of all tools. It drops the JSON Schema version,
 * `additionalProperties`, `minLength` of 1, the bounds of safe integers, and titles that repeat the name of a field.
 * @param name the field the schema is for; the schema of all fields has none
 */
export function schemaForModel(schema: Schema, name?: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => (saysNothing(key, value, name) ? [] : [[key, part(key, value)]])),
  );
}

function part(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return alternatives.has(key) ? value.map((each) => inner(each)) : value;
  if (key === 'properties' && isSchema(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each, name)]));
  return nested.has(key) ? inner(value) : value;
}

function inner(value: unknown, name = ''): unknown {
  return isSchema(value) ? schemaForModel(value, name) : value;
}

const alternatives: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'items', 'prefixItems']);
const nested: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);

function saysNothing(key: string, value: unknown, name: string | undefined): boolean {
  switch (key) {
    case '$schema':
      return true;
    case 'additionalProperties':
      return value === false;
    case 'minLength':
      return value === 1;
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER;
    case 'title':
      return name === undefined || (typeof value === 'string' && lettersOf(value) === lettersOf(name));
    default:
      return false;
  }
}

function lettersOf(text: string): string {
  return text.replaceAll(/[\s_-]/g, '').toLowerCase();
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
