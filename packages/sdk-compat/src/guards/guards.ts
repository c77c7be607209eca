import type { Edition, TaggedShape } from '@turnwire/protocol';

type Words<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${Capitalize<First>}${Words<Rest>}`
  : Capitalize<Text>;

type VariantOf<Union, Tag extends string, Value extends string> = Extract<Union, { [K in Tag]: Value }>;

/** The tags of a union that are literals. */
type TagsOf<Union, Tag extends string> = Union extends { [K in Tag]: infer Value extends string }
  ? string extends Value
    ? never
    : Value extends `_${string}`
      ? never
      : Value
  : never;

/**
 * A function for each variant of a union, which says whether a value is one. `isCustom` is true for variants that this version does not
 * name.
 */
export type GuardsOf<Union, Tag extends string, Untagged extends string = never> = {
  readonly [Value in TagsOf<Union, Tag> as `is${Words<Value>}`]: (
    value: Union,
  ) => value is VariantOf<Union, Tag, Value> & Union;
} & {
  readonly [Name in Untagged | 'Custom' as `is${Name}`]: (value: Union) => boolean;
};

/**
 * The guards of a union. They check the whole value, not only its tag.
 * @param untagged names the variant without a tag
 */
export function guardsOf<Union, Tag extends string, Untagged extends string = never>(
  edition: Pick<Edition, 'checks' | 'shapes'>,
  name: string,
  untagged?: Untagged,
): GuardsOf<Union, Tag, Untagged> {
  const [, tag, variants] = taggedPart(edition.shapes[name]);
  const fits = (value: unknown): boolean => edition.checks[name]?.(value) === true;
  const tagOf = (value: unknown): unknown => (value as { readonly [key: string]: unknown } | null)?.[tag];
  const isVariant = (value: unknown): boolean => Object.hasOwn(variants, String(tagOf(value)));
  const guards = Object.keys(variants).map((each) => [
    `is${capitalized(each)}`,
    (value: unknown) => tagOf(value) === each && fits(value),
  ]);
  if (untagged !== undefined)
    guards.push([`is${untagged}`, (value: unknown) => typeof tagOf(value) !== 'string' && fits(value)]);
  const isCustom = (value: unknown): boolean => typeof tagOf(value) === 'string' && !isVariant(value) && fits(value);
  return { ...Object.fromEntries(guards), isCustom } as GuardsOf<Union, Tag, Untagged>;
}

/** A union may have fields that all its variants share. */
function taggedPart(shape: unknown): TaggedShape<string> {
  const [kind, , inner] = shape as readonly unknown[];
  return kind === 'tagged' ? (shape as TaggedShape<string>) : taggedPart(inner);
}

function capitalized(tag: string): string {
  return tag
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
