/** A definition as compact data. A capital letter begins the name of another definition. */
export type Shape<Name extends string> =
  | Name
  | 'any'
  | 'null'
  | 'boolean'
  | 'double'
  | 'integer'
  | 'string'
  /** A string that is not empty. */
  | 'text'
  /** A string that is an absolute path. */
  | 'path'
  | IntegerShape
  | readonly ['choice', values: readonly string[]]
  | readonly ['nullable' | 'list' | 'map', Shape<Name>]
  | readonly ['anyOf', members: readonly Shape<Name>[]]
  | ObjectShape<Name>
  | TaggedShape<Name>;

/** A whole number, both ends included. */
export type IntegerShape = readonly ['integer', minimum: number, maximum?: number];

/** `also`: what the object must be besides, a union most often. */
export type ObjectShape<Name extends string> = readonly [
  'object',
  fields: { readonly [name: string]: FieldShape<Name> },
  also?: Shape<Name>,
];

/** `untagged`: what an object without the tag is; `other`: what one with an unknown tag is. Neither: refused. */
export type TaggedShape<Name extends string> = readonly [
  'tagged',
  tag: string,
  variants: { readonly [tag: string]: Shape<Name> },
  untagged?: Shape<Name> | null,
  other?: Shape<Name>,
];

/**
 * A field: `!` required, `E` a bad value becomes the default, `S` bad items of the list are dropped,
 * `N` null becomes the default. The default is an empty list if required, absence otherwise.
 */
export type FieldShape<Name extends string> = readonly [rules: string, Shape<Name>];

/** Shapes by the names others mention them by. */
export type Shapes = { readonly [name: string]: Shape<string> };
