import type { Definitions } from './generated/types.ts';
import type * as shapes from './validation/shape.ts';

/** A definition as compact data. A capital letter begins the name of another definition. */
export type Shape<Name extends string = keyof Definitions> = shapes.Shape<Name>;

/** An object, by its fields. */
export type FieldShapes<Name extends string = keyof Definitions> = shapes.FieldShapes<Name>;

/**
 * `untagged` is the shape of an object without the tag, `other` that of an object with an unknown tag. Without them such objects are
 * refused.
 */
export type TaggedShape<Name extends string = keyof Definitions> = shapes.TaggedShape<Name>;

/**
 * A field: `!` required, `?` null is a good value, `E` a bad value becomes the default, `S` bad items of the list are dropped,
 * `N` null becomes the default. The default is an empty list if required, absence otherwise.
 */
export type FieldShape<Name extends string = keyof Definitions> = shapes.FieldShape<Name>;
