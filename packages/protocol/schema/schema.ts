/**
 * A definition of the protocol as the generators read it. The editions build it from the official JSON Schema, the generators turn it
 * into types, checks and shapes, and the tests derive random messages from it.
 */
export type Schema =
  | { readonly kind: 'any' | 'null' | 'boolean'; readonly description?: string }
  | DoubleSchema
  | StringSchema
  | IntegerSchema
  | ChoiceSchema
  | { readonly kind: 'nullable'; readonly schema: Schema; readonly description?: string }
  | { readonly kind: 'list'; readonly items: Schema; readonly notEmpty?: true; readonly description?: string }
  | { readonly kind: 'map'; readonly items: Schema; readonly description?: string }
  | AnyOfSchema
  | ObjectSchema
  | TaggedSchema;

export type Definitions = { readonly [name: string]: Schema };

export interface StringSchema {
  readonly kind: 'string';
  /**
   * `absolute-path` is checked, and so is `uri` in version 2. In version 1 `uri` is documentation only, as in the official schema, and so
   * is `base64` in both: who decodes the bytes finds what is wrong with them, and no one else has to read them.
   */
  readonly format?: 'absolute-path' | 'uri' | 'checked-uri' | 'base64';
  readonly notEmpty?: true;
  readonly description?: string;
}

/** A finite number. */
export interface DoubleSchema {
  readonly kind: 'double';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

export interface IntegerSchema {
  readonly kind: 'integer';
  readonly format: 'int32' | 'int64' | 'uint16' | 'uint32' | 'uint64';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

/** One of a set of known values. An open choice accepts every other value of the same type as well. */
export interface ChoiceSchema {
  readonly kind: 'choice';
  readonly of: 'string' | 'int32';
  readonly open: boolean;
  readonly values: readonly (readonly [value: string | number, description: string])[];
  readonly description?: string;
}

export interface AnyOfSchema {
  readonly kind: 'anyOf';
  readonly members: readonly Schema[];
  /** A value that fits two members is refused. */
  readonly exactlyOne?: true;
  readonly description?: string;
}

export interface ObjectSchema {
  readonly kind: 'object';
  readonly fields: { readonly [name: string]: Field };
  /** A union that the remaining fields of the same object must satisfy. */
  readonly also?: Schema;
  readonly description?: string;
}

/** A union of objects distinguished by one string field, the tag. */
export interface TaggedSchema {
  readonly kind: 'tagged';
  readonly tag: string;
  readonly variants: { readonly [tag: string]: Variant };
  /** What an object without a tag is: the name of a variant above, or a schema of its own. */
  readonly untagged?: string | Schema;
  /** What an object with an unknown tag must satisfy. Absent: unknown tags are refused. */
  readonly other?: Schema;
  /** A tag that is not a string is read as absent. */
  readonly onError?: true;
  readonly description?: string;
}

export interface Variant {
  readonly schema: Schema;
  readonly description: string;
}

export interface Field {
  readonly schema: Schema;
  readonly rules: Rules;
}

/** What a receiver does about a bad value of a field. By default it refuses the object. */
interface Rules {
  readonly required: boolean;
  readonly description: string;
  /** A bad value is read as absent, or as an empty list where the field is required. */
  readonly onError?: true;
  /** `null` is read as absent, or as an empty list where the field is required. */
  readonly onNull?: true;
  /** Bad items of a list are dropped. */
  readonly badItems?: true;
  /** The value that an absent field stands for. Documentation only: nothing is filled in. */
  readonly absentMeans?: unknown;
}

/**
 * Our sentences for one or more definitions. The empty key describes the definition itself, `cwd` a field, `=end_turn` a variant or a
 * value of a choice, `|Str` an inline member of a union by its title, and `|boolean.value` a field of such a member.
 */
export type Descriptions = { readonly [definition: string]: { readonly [key: string]: string } };

/** One function for each kind of schema. */
export type ByKind<Rest extends readonly unknown[], Result> = {
  readonly [Kind in Schema['kind']]: (schema: Schema & { readonly kind: Kind }, ...rest: Rest) => Result;
};

export function byKind<Rest extends readonly unknown[], Result>(cases: ByKind<Rest, Result>, schema: Schema, ...rest: Rest): Result {
  const one = cases[schema.kind] as (schema: Schema, ...rest: Rest) => Result;
  return one(schema, ...rest);
}
