import { type EditionSchema, nameOf } from '../../packages/protocol/schema/editions.ts';
import {
  type ByKind,
  byKind,
  type ChoiceSchema,
  type Field,
  type IntegerSchema,
  type ObjectSchema,
  type Schema,
  type TaggedSchema,
} from '../../packages/protocol/schema/schema.ts';
import type { Definitions } from '../../packages/protocol/src/generated/types.ts';
import type { FieldShape, Shape } from '../../packages/protocol/src/definition-shapes.ts';
import { untaggedSchema } from './checks-source.ts';

/** Fields that many objects have: their shapes are written once. */
const common: { readonly [name: string]: FieldShape } = {
  meta: ['?E', ['map', 'any']],
  required: ['!', 'string'],
  optional: ['?E', 'string'],
};

/** The text of `shapes.ts`: the definitions as data, without descriptions. */
export function shapesSource({ definitions, prefix }: EditionSchema): string {
  const entries = Object.entries(definitions).map(
    ([name, schema]) => `${name}: ${withNames(JSON.stringify(byKind(writers, schema)))},`,
  );
  return [
    `import type { FieldShape, Shape } from '../validation/shape.ts';`,
    ...(prefix === '' ? [] : [`import { shapes } from './shapes.ts';`]),
    `import type { Definitions } from './${prefix}types.ts';`,
    ...Object.entries(common).map(([name, shape]) => `const ${name}: FieldShape<never> = ${JSON.stringify(shape)};`),
    '/** What `repair` goes by. */',
    prefix === ''
      ? `export const shapes: { readonly [Name in keyof Definitions]: Shape<keyof Definitions> } = {\n${entries.join('\n')}\n};`
      : `export const unstableShapes: { readonly [Name in keyof Definitions]: Shape<keyof Definitions> } = {\n...shapes,\n${entries.join('\n')}\n};`,
  ].join('\n\n');
}

function withNames(text: string): string {
  return Object.entries(common).reduce((rest, [name, shape]) => rest.replaceAll(JSON.stringify(shape), name), text);
}

function mentioned(schema: Schema): Shape {
  const shape = byKind(writers, schema);
  return typeof shape === 'string' ? shape : ((nameOf(schema) as keyof Definitions | undefined) ?? shape);
}

const writers: ByKind<[], Shape> = {
  any: () => 'any',
  null: () => 'null',
  boolean: () => 'boolean',
  double: () => 'double',
  integer,
  string: ({ format, notEmpty }) => (format === 'absolute-path' ? 'path' : notEmpty ? 'text' : 'string'),
  choice,
  nullable: ({ schema }) => ['anyOf', ['null', mentioned(schema)]],
  list: ({ items }) => ['list', mentioned(items)],
  map: ({ items }) => ['map', mentioned(items)],
  anyOf: ({ members }) => ['anyOf', members.map(mentioned)],
  object,
  tagged,
};

function integer({ minimum, maximum }: IntegerSchema): Shape {
  if (minimum === undefined) return 'integer';
  return maximum === undefined ? ['integer', minimum] : ['integer', minimum, maximum];
}

function choice({ of, open, values }: ChoiceSchema): Shape {
  if (open) return of === 'string' ? 'string' : 'integer';
  return ['choice', values.map(([value]) => String(value))];
}

function object({ fields, also }: ObjectSchema): Shape {
  const shapes = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldShape(field)]));
  return also ? ['both', shapes, mentioned(also)] : shapes;
}

function fieldShape({ schema, rules }: Field): FieldShape {
  const isNullable = schema.kind === 'nullable';
  const rest = [rules.onError && 'E', rules.badItems && 'S', rules.onNull && 'N'];
  const letters = [rules.required && '!', isNullable && '?', ...rest].filter(Boolean).join('');
  return [letters, mentioned(isNullable ? schema.schema : schema)];
}

function tagged({ tag, variants, untagged, other }: TaggedSchema): Shape {
  const known = Object.fromEntries(Object.entries(variants).map(([name, { schema }]) => [name, mentioned(schema)]));
  const withoutTag = untagged ? mentioned(untaggedSchema(untagged, variants)) : null;
  if (other) return ['tagged', tag, known, withoutTag, mentioned(other)];
  return withoutTag === null ? ['tagged', tag, known] : ['tagged', tag, known, withoutTag];
}
