import type { Definitions } from '../generated/types.ts';

/** A definition as compact data. A capital letter begins the name of another definition. */
export type Shape =
  | keyof Definitions
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
  | readonly ['nullable' | 'list' | 'map', Shape]
  | readonly ['anyOf', members: readonly Shape[]]
  | ObjectShape
  | TaggedShape;

/** A whole number, both ends included. */
export type IntegerShape = readonly ['integer', minimum: number, maximum?: number];

/** `also`: what the object must be besides, a union most often. */
export type ObjectShape = readonly ['object', fields: { readonly [name: string]: FieldShape }, also?: Shape];

/** `untagged`: what an object without the tag is; `other`: what one with an unknown tag is. Neither: refused. */
export type TaggedShape = readonly [
  'tagged',
  tag: string,
  variants: { readonly [tag: string]: Shape },
  untagged?: Shape | null,
  other?: Shape,
];

/**
 * A field: `!` required, `E` a bad value becomes the default, `S` bad items of the list are dropped,
 * `N` null becomes the default. The default is an empty list if required, absence otherwise.
 */
export type FieldShape = readonly [rules: string, Shape];
