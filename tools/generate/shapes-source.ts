import definitionsOfVersion1 from '../../conformance/src/audit/rules/definitions.json' with { type: 'json' };
import definitionsOfVersion2 from '../../conformance/src/audit/rules/definitions-v2.json' with { type: 'json' };
import { type EditionSchema, editionSchemas, mentionsIn, nameOf } from '../../packages/protocol/schema/editions.ts';
import {
  type ByKind,
  byKind,
  type ChoiceSchema,
  type DoubleSchema,
  type Field,
  type IntegerSchema,
  type ObjectSchema,
  type Schema,
  type TaggedSchema,
} from '../../packages/protocol/schema/schema.ts';
import type { Definitions } from '../../packages/protocol/src/generated/types.ts';
import type { FieldShape, Shape } from '../../packages/protocol/src/definition-shapes.ts';
import { constantName, frequent, untaggedSchema } from './checks-source.ts';

/** Shapes that occur often are written once: their names, types and texts. A later text may contain an earlier name. */
const common: readonly (readonly [name: string, type: string, text: string])[] = [
  ['meta', 'FieldShape<never>', '["?E",["map","any"]]'],
  ['required', 'FieldShape<never>', '["!","string"]'],
  ['optional', 'FieldShape<never>', '["?E","string"]'],
  ['marker', 'Shape<never>', '{"_meta":meta}'],
  ['offered', 'FieldShape<never>', '["?E",marker]'],
];

/** The text of `shapes.ts`: the definitions as data, without descriptions. */
export function shapesSource(edition: EditionSchema): string {
  const { definitions, prefix, base } = edition;
  const shapes = constantName(edition, 'shapes');
  const all = Object.entries({ ...base?.definitions, ...definitions });
  const unnamed = all.filter(([, schema]) => inlined(schema)).map(([name]) => `'${name}'`);
  const entries = Object.entries(definitions)
    .filter(([, schema]) => !inlined(schema))
    .map(
      ([name, schema]) =>
        `${name}: ${withCode(withNames(JSON.stringify(byKind(writers, schema)))).replaceAll('SHAPES', shapes)},`,
    );
  const limits = ['between', 'notBoth', 'notEmpty', 'uri'].filter((name) =>
    entries.some((entry) => entry.includes(`["when",${name}`)),
  );
  const inherited = base && constantName(base, 'shapes');
  return [
    `import type { FieldShape, Shape } from '../validation/shape.ts';`,
    ...(base ? [`import { ${inherited} } from './${base.prefix}shapes.ts';`] : []),
    ...(limits.length === 0 ? [] : [`import { ${limits.join(', ')} } from '../validation/limits.ts';`]),
    `import type { Definitions } from './${prefix}types.ts';`,
    ...common.map(([name, type, text]) => `const ${name}: ${type} = ${text};`),
    '/** The shapes that `repair` follows. A definition that is mentioned once is written there. */',
    `export const ${shapes}: { readonly [Name in Exclude<keyof Definitions, ${unnamed.join(' | ')}>]: Shape<keyof Definitions> } = {\n${inherited ? `...${inherited},\n` : ''}${entries.join('\n')}\n};`,
  ].join('\n\n');
}

/** The schemas that one definition mentions, once: a bundle would have their names twice. Frequent ones call the checks of those that they mention. */
const mentionedOnce = new Set(
  editionSchemas.flatMap(({ definitions }) => {
    const all = mentionsIn(definitions);
    const called = mentionsIn(Object.fromEntries(Object.entries(definitions).filter(([name]) => frequent.has(name))));
    return Object.entries(definitions).flatMap(([name, schema]) =>
      all.get(name) === 1 && !called.has(name) ? [schema] : [],
    );
  }),
);

/** Definitions that code looks up by their names: the test kit, besides those that its tables have requirements for, and the translation of paths. */
const lookedUp: readonly string[] = [
  'AgentCapabilities',
  'ClientCapabilities',
  'DiffPatch',
  'IdleStateUpdate',
  'McpServerStdio',
  'PermissionOption',
  'PlanEntry',
  'SessionCapabilities',
  'SessionConfigSelectOptions',
  'SessionInfo',
];

/** The schemas of these definitions. */
const judged = new Set<Schema>(
  editionSchemas.flatMap(({ definitions, prefix }) => {
    const table = prefix.startsWith('v2-') ? definitionsOfVersion2 : definitionsOfVersion1;
    const fields = Object.values(table).flatMap((ofSide) => Object.keys(ofSide));
    const names = [...lookedUp, ...fields.map((field) => field.split('.', 1)[0] ?? '')];
    return names.flatMap((name) => definitions[name] ?? []);
  }),
);

/**
 * The shape of a definition that is written where others mention it: a word, an empty object, or one that is mentioned once. Code
 * looks up messages, errors, unions and frequent definitions by their names, and the test kit a few others.
 */
function inlined(schema: Schema): Shape | undefined {
  const name = nameOf(schema) ?? '';
  if (/(?:Request|Response|Notification|Error)$/.test(name) || frequent.has(name) || judged.has(schema))
    return undefined;
  const shape = byKind(writers, schema);
  if (typeof shape === 'string' || Object.keys(shape).join() === '_meta') return shape;
  return schema.kind !== 'tagged' && mentionedOnce.has(schema) ? shape : undefined;
}

function withCode(text: string): string {
  return text.replaceAll(/"@(.*?)@"/g, '$1');
}

function withNames(text: string): string {
  return common.reduce((rest, [name, , shape]) => rest.replaceAll(shape, name), text);
}

function mentioned(schema: Schema): Shape {
  return inlined(schema) ?? (nameOf(schema) as keyof Definitions | undefined) ?? byKind(writers, schema);
}

const writers: ByKind<[], Shape> = {
  any: () => 'any',
  null: () => 'null',
  boolean: () => 'boolean',
  double,
  integer,
  string: ({ format, notEmpty }) =>
    format === 'absolute-path'
      ? 'path'
      : format === 'checked-uri'
        ? when('uri', 'string')
        : notEmpty
          ? 'text'
          : 'string',
  choice,
  nullable: ({ schema }) => ['anyOf', ['null', mentioned(schema)]],
  list: ({ items, notEmpty }) => (notEmpty ? when('notEmpty', ['list', mentioned(items)]) : ['list', mentioned(items)]),
  map: ({ items }) => ['map', mentioned(items)],
  anyOf: ({ members, exactlyOne }) => {
    const names = members.map(mentioned);
    const shape: Shape = ['anyOf', names];
    return exactlyOne ? when(`notBoth(() => SHAPES, ${JSON.stringify(names).replaceAll('"', "'")})`, shape) : shape;
  },
  object,
  tagged,
};

/** A shape with a condition from `validation/limits.ts`, which is written as code. */
function when(condition: string, shape: Shape): Shape {
  return ['when', `@${condition}@` as never, shape];
}

function double({ minimum, maximum }: DoubleSchema): Shape {
  return minimum === undefined || maximum === undefined ? 'double' : when(`between(${minimum}, ${maximum})`, 'double');
}

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
  if (rules.badItems && 'notEmpty' in (isNullable ? schema.schema : schema))
    throw new Error('a list whose bad items are dropped may end up empty');
  const rest = [rules.onError && 'E', rules.badItems && 'S', rules.onNull && 'N'];
  const letters = [rules.required && '!', isNullable && '?', ...rest].filter(Boolean).join('');
  return [letters, mentioned(isNullable ? schema.schema : schema)];
}

function tagged({ tag, variants, untagged, other, onError }: TaggedSchema): Shape {
  const known = Object.fromEntries(Object.entries(variants).map(([name, { schema }]) => [name, mentioned(schema)]));
  const withoutTag = untagged ? mentioned(untaggedSchema(untagged, variants)) : null;
  if (other && onError) return ['tagged', tag, known, withoutTag, mentioned(other), 'E'];
  if (other) return ['tagged', tag, known, withoutTag, mentioned(other)];
  return withoutTag === null ? ['tagged', tag, known] : ['tagged', tag, known, withoutTag];
}
