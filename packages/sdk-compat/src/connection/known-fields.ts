import type { Edition, FieldShapes, Shape as ShapeOf, TaggedShape } from '@turnwire/protocol';

type Shape = ShapeOf<string>;
type ShapeFields = FieldShapes<string>;
type Compound = Exclude<Shape, string | ShapeFields>;
type Edited = Pick<Edition, 'checks' | 'shapes'>;

/** A copy of a value without the fields that its definition does not have, at any depth. */
export function withKnownFields(shape: Shape, value: unknown, edition: Edited): unknown {
  if (typeof shape === 'string') {
    const definition = Object.hasOwn(edition.shapes, shape) ? edition.shapes[shape] : undefined;
    return definition === undefined ? value : withKnownFields(definition, value, edition);
  }
  return isCompound(shape) ? compound(shape, value, edition) : known(shape, value, edition);
}

function isCompound(shape: Compound | ShapeFields): shape is Compound {
  return Array.isArray(shape);
}

function compound(shape: Compound, value: unknown, edition: Edited): unknown {
  switch (shape[0]) {
    case 'list':
      return Array.isArray(value) ? value.map((each) => withKnownFields(shape[1], each, edition)) : value;
    case 'map':
      return isObject(value) ? mapped(value, (each) => withKnownFields(shape[1], each, edition)) : value;
    case 'when':
      return withKnownFields(shape[2], value, edition);
    case 'both':
      return isObject(value)
        ? { ...known(shape[1], value, edition), ...(withKnownFields(shape[2], value, edition) as object) }
        : value;
    case 'anyOf':
      return withKnownFields(memberOf(shape[1], value, edition), value, edition);
    case 'tagged':
      return tagged(shape, value, edition);
    default:
      return value;
  }
}

function known(fields: ShapeFields, value: unknown, edition: Edited): object {
  if (!isObject(value)) return value as object;
  const names = Object.keys(fields).filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(
    names.map((name) => [name, withKnownFields(fields[name]?.[1] ?? 'any', value[name], edition)]),
  );
}

/** The tag stays; a variant that the version does not have stays whole. */
function tagged([, tag, variants, untagged]: TaggedShape<string>, value: unknown, edition: Edited): unknown {
  if (!isObject(value)) return value;
  const kind = value[tag];
  const variant = typeof kind !== 'string' ? untagged : Object.hasOwn(variants, kind) ? variants[kind] : undefined;
  if (variant === undefined || variant === null) return value;
  return { ...(kind !== undefined && { [tag]: kind }), ...(withKnownFields(variant, value, edition) as object) };
}

/** The first member that the value fits. */
function memberOf(members: readonly Shape[], value: unknown, { checks }: Edited): Shape {
  return members.find((member) => typeof member === 'string' && checks[member]?.(value) === true) ?? 'any';
}

function mapped(value: Readonly<Record<string, unknown>>, change: (each: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
