import type { Word } from './words.ts';

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
  | readonly ['list' | 'map', Shape<Name>]
  /** A value that fits the word and the shape. */
  | readonly ['when', Word, Shape<Name>]
  | readonly ['anyOf', members: readonly Shape<Name>[]]
  /** An object with these fields, that is something else besides: a union most often. */
  | readonly ['both', FieldShapes<Name>, Shape<Name>]
  | TaggedShape<Name>
  | FieldShapes<Name>;

/** A whole number, both ends included. */
export type IntegerShape = readonly ['integer', minimum: number, maximum?: number];

/** An object, by its fields. */
export interface FieldShapes<Name extends string> {
  readonly [name: string]: FieldShape<Name>;
}

/**
 * `untagged` is the shape of an object without the tag, `other` that of an object with an unknown tag. Without them such objects are
 * refused. `E`: a tag that is not a string is read as absent.
 */
export type TaggedShape<Name extends string> = readonly [
  'tagged',
  tag: string,
  variants: { readonly [tag: string]: Shape<Name> },
  untagged?: Shape<Name> | null,
  other?: Shape<Name>,
  badTag?: 'E',
];

/**
 * A field: `!` required, `?` null is a good value, `E` a bad value becomes the default, `S` bad items of the list are dropped,
 * `N` null becomes the default. The default is an empty list if required, absence otherwise.
 */
export type FieldShape<Name extends string> = readonly [rules: string, Shape<Name>];

/** Shapes by the names others mention them by. */
export type Shapes = { readonly [name: string]: Shape<string> };
