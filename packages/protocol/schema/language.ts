/**
 * The words the schema files are written in. A schema is plain data: the generator turns it into types, checks and
 * shapes, the tests compare it with the official schema and derive random messages from it.
 */
export type Schema =
  | { readonly kind: 'any' | 'null' | 'boolean' | 'double'; readonly description?: string }
  | StringSchema
  | IntegerSchema
  | ChoiceSchema
  | { readonly kind: 'nullable'; readonly schema: Schema; readonly description?: string }
  | { readonly kind: 'list' | 'map'; readonly items: Schema; readonly description?: string }
  | { readonly kind: 'anyOf'; readonly members: readonly Schema[]; readonly description?: string }
  | ObjectSchema
  | TaggedSchema;

export interface StringSchema {
  readonly kind: 'string';
  /** `absolute-path` is checked; `uri` only informs, as in the official schema. */
  readonly format?: 'absolute-path' | 'uri';
  readonly notEmpty?: true;
  readonly description?: string;
}

export interface IntegerSchema {
  readonly kind: 'integer';
  readonly format: 'int32' | 'int64' | 'uint16' | 'uint32' | 'uint64';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

/** One of some known values; when open, any other value of the same type as well. */
export interface ChoiceSchema {
  readonly kind: 'choice';
  readonly of: 'string' | 'int32';
  readonly open: boolean;
  /** The known values, each with what it means. */
  readonly values: readonly (readonly [value: string | number, description: string])[];
  readonly description?: string;
}

export interface ObjectSchema {
  readonly kind: 'object';
  readonly fields: { readonly [name: string]: Field };
  /** What the same object must satisfy besides its fields: a union its remaining fields belong to. */
  readonly also?: Schema;
  readonly description?: string;
}

/** A union of objects told apart by one string field, the tag. */
export interface TaggedSchema {
  readonly kind: 'tagged';
  readonly tag: string;
  readonly variants: { readonly [tag: string]: Variant };
  /** The variant an object without a tag belongs to: the name of one above, or a schema of its own. */
  readonly untagged?: string | Schema;
  /** What an object with an unknown tag must satisfy. Absent: unknown tags are refused. */
  readonly other?: Schema;
  readonly description?: string;
}

export interface Variant {
  readonly schema: Schema;
  readonly description: string;
}

interface Rules {
  readonly required: boolean;
  readonly description: string;
  readonly onError?: true;
  readonly onNull?: true;
  readonly badItems?: true;
  readonly absentMeans?: unknown;
}

/** A field of an object, with what a receiver does about a bad value; by default it refuses the object. */
export class Field {
  readonly schema: Schema;
  readonly rules: Rules;

  constructor(schema: Schema, rules: Rules) {
    this.schema = schema;
    this.rules = rules;
  }

  /** A bad value is read as if the field were absent. */
  orAbsent(): Field {
    return this.optionally('orAbsent', { onError: true });
  }

  /** A bad value is read as an empty list. */
  orEmpty(): Field {
    return this.necessarily('orEmpty', { onError: true });
  }

  /** Bad items of the list are dropped, the good ones kept. */
  withoutBadItems(): Field {
    return new Field(this.schema, { ...this.rules, badItems: true });
  }

  /** `null` is read as if the field were absent; any other bad value is refused. */
  nullMeansAbsent(): Field {
    return this.optionally('nullMeansAbsent', { onNull: true });
  }

  /** `null` is read as an empty list; any other bad value is refused. */
  nullMeansEmpty(): Field {
    return this.necessarily('nullMeansEmpty', { onNull: true });
  }

  /** The value an absent field stands for. Documentation only: nothing is filled in. */
  absentMeans(value: unknown): Field {
    return this.optionally('absentMeans', { absentMeans: value });
  }

  private optionally(word: string, rules: Partial<Rules>): Field {
    if (this.rules.required) throw new TypeError(`${word}() is for optional fields: ${this.rules.description}`);
    return new Field(this.schema, { ...this.rules, ...rules });
  }

  private necessarily(word: string, rules: Partial<Rules>): Field {
    if (!this.rules.required || this.schema.kind !== 'list')
      throw new TypeError(`${word}() is for required lists: ${this.rules.description}`);
    return new Field(this.schema, { ...this.rules, ...rules });
  }
}

export function required(schema: Schema, description: string): Field {
  return new Field(schema, { required: true, description });
}

export function optional(schema: Schema, description: string): Field {
  return new Field(schema, { required: false, description });
}

export const anything: Schema = { kind: 'any' };
export const nothing: Schema = { kind: 'null' };
export const boolean: Schema = { kind: 'boolean' };
export const double: Schema = { kind: 'double' };
export const string: Schema = { kind: 'string' };
export const nonEmptyString: Schema = { kind: 'string', notEmpty: true };
export const uri: Schema = { kind: 'string', format: 'uri' };
export const absolutePath: Schema = { kind: 'string', format: 'absolute-path' };
export const int64: Schema = { kind: 'integer', format: 'int64' };
export const uint16: Schema = { kind: 'integer', format: 'uint16', minimum: 0, maximum: 65_535 };
export const uint32: Schema = { kind: 'integer', format: 'uint32', minimum: 0 };
export const uint64: Schema = { kind: 'integer', format: 'uint64', minimum: 0 };

/** The same schema with a meaning of its own. */
export function meaning(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export function nullable(schema: Schema): Schema {
  return { kind: 'nullable', schema };
}

export function list(items: Schema): Schema {
  return { kind: 'list', items };
}

/** An object whose keys are data. */
export function map(items: Schema): Schema {
  return { kind: 'map', items };
}

export function anyOf(description: string, ...members: readonly Schema[]): Schema {
  return { kind: 'anyOf', members, description };
}

export function choice(description: string, values: { readonly [value: string]: string }): Schema {
  return { kind: 'choice', of: 'string', open: false, values: Object.entries(values), description };
}

/** A choice that may grow: receivers accept values they do not know. */
export function openChoice(description: string, values: { readonly [value: string]: string }): Schema {
  return { kind: 'choice', of: 'string', open: true, values: Object.entries(values), description };
}

export function openNumberChoice(description: string, values: readonly (readonly [number, string])[]): Schema {
  return { kind: 'choice', of: 'int32', open: true, values, description };
}

/** Part of an object: it has no `_meta` of its own. */
export function part(description: string, fields: ObjectSchema['fields'], also?: Schema): Schema {
  return { kind: 'object', fields, description, ...(also && { also }) };
}

/** An object of the protocol. Each has `_meta`, the place for what the protocol does not define. */
export function object(description: string, fields: ObjectSchema['fields'] = {}, also?: Schema): Schema {
  return part(description, { ...fields, _meta: meta }, also);
}

const meta = optional(
  nullable(map(anything)),
  'Extra data for those who know its keys; everyone else passes it on untouched. `null` is the same as absent.',
).orAbsent();

export function tagged(union: Omit<TaggedSchema, 'kind'>): Schema {
  return { kind: 'tagged', ...union };
}

export function variant(schema: Schema, description: string): Variant {
  return { schema, description };
}

/** A variant that is its tag and nothing else. */
export function bare(description: string): Variant {
  return variant(part('', {}), description);
}

/** What an object means when all its fields are absent. */
export function defaults(schema: Schema): { readonly [name: string]: unknown } {
  if (schema.kind !== 'object') throw new TypeError(`only an object has defaults, not a ${schema.kind}`);
  const known = Object.entries(schema.fields).filter(([, field]) => field.rules.absentMeans !== undefined);
  return Object.fromEntries(known.map(([name, field]) => [name, field.rules.absentMeans]));
}

/** What to do with a schema of each kind. */
export type ByKind<Rest extends readonly unknown[], Result> = {
  readonly [Kind in Schema['kind']]: (schema: Schema & { readonly kind: Kind }, ...rest: Rest) => Result;
};

export function byKind<Rest extends readonly unknown[], Result>(cases: ByKind<Rest, Result>, schema: Schema, ...rest: Rest): Result {
  const one = cases[schema.kind] as (schema: Schema, ...rest: Rest) => Result;
  return one(schema, ...rest);
}
