import { borrowedNames, type EditionSchema, nameOf } from '../../packages/protocol/schema/editions.ts';
import {
  type ByKind,
  byKind,
  type ChoiceSchema,
  type Field,
  type ObjectSchema,
  type Schema,
  type TaggedSchema,
} from '../../packages/protocol/schema/schema.ts';

/** The text of `types.ts`: an interface or alias for each definition. */
export function typesSource(edition: EditionSchema): string {
  const { definitions, base } = edition;
  const names = Object.keys(definitions);
  const body = names.map((name) => `readonly ${name}: ${name};`).join('\n');
  const replaced = names.map((name) => `'${name}'`).join(' | ');
  return [
    ...(base
      ? [
          `import type { Definitions as StableDefinitions, ${borrowedNames(edition).join(', ')} } from './${base.prefix}types.ts';`,
        ]
      : []),
    `import type { UnknownVariant } from '../validation/unknown-variant.ts';`,
    ...Object.entries(definitions).map(([name, schema]) => declaration(name, schema)),
    '/** Every definition under its name in the official schema. */',
    base
      ? `export interface Definitions extends Omit<StableDefinitions, ${replaced}> {\n${body}\n}`
      : `export interface Definitions {\n${body}\n}`,
  ].join('\n\n');
}

function declaration(name: string, schema: Schema): string {
  const head = comment(description(schema));
  if (schema.kind === 'object' && !schema.also) return `${head}export interface ${name} ${body(schema)}`;
  return `${head}export type ${name} = ${written(schema)};`;
}

/** A type as it is mentioned: by name if it has one. */
function mentioned(schema: Schema): string {
  return nameOf(schema) ?? written(schema);
}

const writers: ByKind<[], string> = {
  any: () => 'unknown',
  null: () => 'null',
  boolean: () => 'boolean',
  double: () => 'number',
  integer: () => 'number',
  string: () => 'string',
  choice,
  nullable: ({ schema }) => `${mentioned(schema)} | null`,
  list: ({ items }) => `readonly (${mentioned(items)})[]`,
  map: ({ items }) => `{ readonly [key: string]: ${mentioned(items)} }`,
  anyOf: ({ members }) => anyOf(members),
  object: (schema) => (schema.also ? `(\n${mentioned(schema.also)}\n) & ${body(schema)}` : body(schema)),
  tagged,
};

function written(schema: Schema): string {
  return byKind(writers, schema);
}

/** Members that are the same to TypeScript, such as two kinds of number, are mentioned once. */
function anyOf(members: readonly Schema[]): string {
  const types = new Map(members.toReversed().map((member) => [mentioned(member), member]));
  if (types.has('unknown')) return 'unknown';
  return [...types]
    .toReversed()
    .map(([type, member]) => `${memberComment(member)}| ${type}`)
    .join('\n');
}

function choice({ values, open, of }: ChoiceSchema): string {
  const known = values.map(([value]) => (typeof value === 'string' ? quoted(value) : String(value)));
  return [...known, ...(open ? [of === 'string' ? '(string & {})' : '(number & {})'] : [])].join(' | ');
}

/** The description of a variant goes to its tag, where editors show it. */
function tagged({ tag, variants, untagged, other }: TaggedSchema): string {
  const known = Object.entries(variants).map(([name, { schema, description: text }]) => {
    const own = untagged === name ? `?: ${quoted(name)} | undefined` : `: ${quoted(name)}`;
    return `| ${intersection(`{\n${comment(text)}readonly ${tag}${own} }`, schema)}`;
  });
  const rest = [
    ...(untagged && typeof untagged !== 'string'
      ? [`| ${intersection(`{ readonly ${tag}?: undefined }`, untagged)}`]
      : []),
    ...(other ? [`| ${intersection(`UnknownVariant<${quoted(tag)}>`, other)}`] : []),
  ];
  return [...known, ...rest].join('\n');
}

function intersection(own: string, schema: Schema): string {
  if (schema.kind === 'any' || (schema.kind === 'object' && Object.keys(schema.fields).length === 0)) return own;
  return `(${own} & ${nameOf(schema) ?? `(${written(schema)})`})`;
}

function body({ fields }: ObjectSchema): string {
  return `{\n${Object.entries(fields)
    .map(([name, field]) => property(name, field))
    .join('\n')}\n}`;
}

function property(name: string, { schema, rules }: Field): string {
  const standing = rules.absentMeans === undefined ? '' : `\n@defaultValue \`${JSON.stringify(rules.absentMeans)}\``;
  const head = comment(rules.description + standing);
  if (rules.required) return `${head}readonly ${name}: ${mentioned(schema)};`;
  return `${head}readonly ${name}?: ${schema.kind === 'any' ? 'unknown' : `${mentioned(schema)} | undefined`};`;
}

function description(schema: Schema): string {
  if (schema.kind !== 'choice') return schema.description ?? '';
  const values = schema.values.map(([value, text]) => `- \`${value}\`: ${text}`);
  return [schema.description, '', ...values].join('\n');
}

function memberComment(member: Schema): string {
  return nameOf(member) || member.kind === 'object' ? '' : comment(member.description ?? '');
}

function comment(text: string): string {
  if (text === '') return '';
  const lines = text.split('\n').flatMap(wrapped);
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Lines of at most 110 characters. */
function wrapped(text: string): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > 110) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

function quoted(text: string): string {
  return `'${text}'`;
}
