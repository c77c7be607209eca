import fc, { type Arbitrary } from 'fast-check';
import { type EditionSchema, stableEdition, unstableEdition } from '../../schema/editions.ts';
import type {
  DoubleSchema,
  IntegerSchema,
  ObjectSchema,
  Schema,
  StringSchema,
  TaggedSchema,
} from '../../schema/schema.ts';
import type { Definitions as Unstable } from '../../src/generated/unstable-types.ts';
import type { Definitions } from '../../src/generated/types.ts';

type Members = { readonly [name: string]: unknown };

const known = new Map<Schema, Arbitrary<unknown>>();

/** Random values of a definition, as `JSON.parse` would give them: known variants and unknown ones, extra keys, `_meta`. */
export function arbitraryOf<Name extends keyof Definitions>(name: Name): Arbitrary<Definitions[Name]> {
  return arbitraryIn(stableEdition.definitions, name) as Arbitrary<Definitions[Name]>;
}

/** Random values of a definition of the unstable edition. Stable definitions in it are without what the unstable ones add. */
export function unstableArbitraryOf(name: keyof Unstable): Arbitrary<unknown> {
  return arbitraryOfEdition(unstableEdition, name);
}

/** Random values of a definition of an edition. Definitions of the edition that it adds to are without what it adds. */
export function arbitraryOfEdition({ base, definitions }: EditionSchema, name: string): Arbitrary<unknown> {
  return arbitraryIn({ ...base?.definitions, ...definitions }, name);
}

function arbitraryIn(definitions: { readonly [name: string]: Schema }, name: string): Arbitrary<unknown> {
  const schema = definitions[name];
  if (!schema) throw new Error(`no definition ${name}`);
  return arbitrary(schema).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}

/** Any JSON, small. */
const small = fc.jsonValue({ maxDepth: 2 });

/** Any JSON, small, as `JSON.parse` would give it. */
export const arbitraryJson: Arbitrary<unknown> = small.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const arbitraryPath = fc
  .tuple(fc.constantFrom('/', 'C:\\', 'z:/', '\\\\server\\share\\'), fc.string())
  .map(([start, end]) => start + end);

/** Keys nobody knows, which everybody must put up with. Half of the objects have none: a message is of many objects. */
const extras = fc.option(
  fc.dictionary(fc.constantFrom('vendor/extra', 'futureField', '__proto__'), small, { maxKeys: 2 }),
  { freq: 1, nil: {} },
);

function arbitrary(schema: Schema): Arbitrary<unknown> {
  const made = known.get(schema) ?? make(schema);
  known.set(schema, made);
  return made;
}

function make(schema: Schema): Arbitrary<unknown> {
  switch (schema.kind) {
    case 'any':
      return small;
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'double':
      return double(schema);
    case 'string':
      return text(schema);
    case 'integer':
      return integer(schema);
    case 'choice': {
      const values = fc.constantFrom(...schema.values.map(([value]) => value));
      const other: Arbitrary<string | number> = schema.of === 'string' ? fc.string() : fc.integer();
      return schema.open ? fc.oneof(values, other) : values;
    }
    case 'nullable':
      return fc.option(arbitrary(schema.schema), { freq: 4 });
    case 'list':
      return fc.array(arbitrary(schema.items), { minLength: schema.notEmpty ? 1 : 0, maxLength: 3 });
    case 'map':
      return fc.dictionary(fc.string(), arbitrary(schema.items), { maxKeys: 3 });
    case 'anyOf':
      return fc.oneof(...schema.members.map(arbitrary));
    case 'object':
      return object(schema);
    case 'tagged':
      return tagged(schema);
  }
}

function double({ minimum, maximum }: DoubleSchema): Arbitrary<number> {
  return fc.double({
    noNaN: true,
    noDefaultInfinity: true,
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
  });
}

function text({ format, notEmpty }: StringSchema): Arbitrary<string> {
  if (format === 'checked-uri')
    return fc.tuple(fc.constantFrom('https://', 'file:/', 'x+y:'), fc.string()).map(([start, end]) => start + end);
  return format === 'absolute-path' ? arbitraryPath : fc.string({ minLength: notEmpty ? 1 : 0 });
}

function integer({ format, minimum, maximum }: IntegerSchema): Arbitrary<number> {
  const isLarge = format.endsWith('64');
  return fc.integer({
    min: minimum ?? (isLarge ? Number.MIN_SAFE_INTEGER : -(2 ** 31)),
    max: maximum ?? (isLarge ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1),
  });
}

function object({ fields, also }: ObjectSchema): Arbitrary<unknown> {
  const members = Object.entries(fields);
  const own = fc.record(Object.fromEntries(members.map(([name, { schema }]) => [name, arbitrary(schema)])), {
    requiredKeys: members.filter(([, { rules }]) => rules.required).map(([name]) => name),
  });
  const parts = [extras, ...(also ? [arbitrary(also) as Arbitrary<Members>] : []), own];
  return fc.tuple(...parts).map((all) => all.reduce((whole, each) => ({ ...whole, ...each })));
}

function tagged({ tag, variants, untagged, other }: TaggedSchema): Arbitrary<unknown> {
  const withTag = (schema: Schema, tags: Arbitrary<string>): Arbitrary<unknown> =>
    fc.tuple(objectOf(schema), tags).map(([payload, name]) => ({ ...payload, [tag]: name }));
  const members = Object.entries(variants).map(([name, { schema }]) => withTag(schema, fc.constant(name)));
  const without = typeof untagged === 'string' ? variants[untagged]?.schema : untagged;
  const unknownTag = fc.string().filter((name) => !Object.hasOwn(variants, name));
  return fc.oneof(
    ...members,
    ...(without ? [objectOf(without).map(({ [tag]: _, ...payload }) => payload)] : []),
    ...(other ? [withTag(other, unknownTag)] : []),
  );
}

function objectOf(schema: Schema): Arbitrary<Members> {
  return (
    schema.kind === 'any' ? fc.dictionary(fc.string(), small, { maxKeys: 3 }) : arbitrary(schema)
  ) as Arbitrary<Members>;
}
