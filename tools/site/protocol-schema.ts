import { nameOf } from '../../packages/protocol/schema/editions.ts';
import {
  byKind,
  type ChoiceSchema,
  type Field,
  type ObjectSchema,
  type Schema,
  type TaggedSchema,
} from '../../packages/protocol/schema/schema.ts';

/** The link to a definition; undefined for one that is described inline. */
export type DefinitionLink = (name: string) => string | undefined;

/** The tables that describe the parts of a definition. */
export function describeDefinition(schema: Schema, link: DefinitionLink): readonly string[] {
  switch (schema.kind) {
    case 'object':
      return fieldTable(schema, link);
    case 'tagged':
      return variantTable(schema, link);
    case 'choice':
      return valueTable(schema);
    default:
      return [];
  }
}

function fieldTable({ fields, also }: ObjectSchema, link: DefinitionLink): readonly string[] {
  const rows = Object.entries(fields)
    .filter(([name]) => name !== '_meta')
    .map(([name, field]) => {
      const shown = field.rules.required ? `\`${name}\` **required**` : `\`${name}\``;
      return `| ${shown} | ${cell(schemaText(field.schema, link))} | ${cell(field.rules.description)} | ${badValue(field)} |`;
    });
  const head = ['| field | type | meaning | a bad value |', '|---|---|---|---|'];
  const table = rows.length === 0 ? ['It has no fields.', ''] : [...head, ...rows, ''];
  return also === undefined
    ? table
    : [...table, 'It also has the fields of one of the following.', '', ...describeDefinition(also, link)];
}

/** How a receiver handles a value that differs from the description. */
function badValue({ rules, schema }: Field): string {
  const becomes = rules.required ? 'an empty list' : 'absent';
  const parts = [
    ...(rules.onError ? [`is ${becomes}`] : []),
    ...(rules.onNull ? [`\`null\` is ${becomes}`] : []),
    ...(rules.badItems ? ['bad items are dropped'] : []),
  ];
  if (parts.length === 0) return schema.kind === 'any' ? '–' : 'is refused';
  return `${parts.join('; ')}${rules.onError ? '' : '; else refused'}`;
}

function variantTable({ tag, variants, untagged, other }: TaggedSchema, link: DefinitionLink): readonly string[] {
  const rows = Object.entries(variants).map(
    ([value, { schema, description }]) =>
      `| \`"${value}"\` | ${cell(schemaText(schema, link))} | ${cell(description)} |`,
  );
  const known = typeof untagged === 'string' ? `\`"${untagged}"\`` : untagged && schemaText(untagged, link);
  return [
    `| \`${tag}\` | its other fields | meaning |`,
    '|---|---|---|',
    ...rows,
    '',
    ...(known ? [`Without \`${tag}\` it is read as ${known}.`, ''] : []),
    other === undefined ? `An unknown \`${tag}\` is refused.` : `An unknown \`${tag}\` is kept and passed on.`,
    '',
  ];
}

function valueTable({ values, open, of }: ChoiceSchema): readonly string[] {
  const rows = values.map(([value, meaning]) => `| \`${JSON.stringify(value)}\` | ${cell(meaning)} |`);
  const rest = open
    ? `Any other ${of === 'string' ? 'string' : 'number'} is accepted too.`
    : 'Any other value is refused.';
  return ['| value | meaning |', '|---|---|', ...rows, '', rest, ''];
}

/**
 * A schema in a few words of Markdown.
 * @param own - the name of the definition that is described, which does not refer to itself
 */
export function schemaText(schema: Schema, link: DefinitionLink, own?: string): string {
  const name = nameOf(schema);
  const place = name === undefined || name === own ? undefined : link(name);
  return place === undefined ? byKind(texts, schema, link) : `[${name}](${place})`;
}

const texts: Parameters<typeof byKind<[DefinitionLink], string>>[0] = {
  any: () => 'anything',
  null: () => '`null`',
  boolean: () => 'boolean',
  double: () => 'number',
  string: ({ format, notEmpty }) =>
    format === 'absolute-path' ? 'absolute path' : format === 'uri' ? 'URI' : notEmpty ? 'string, not empty' : 'string',
  integer: ({ minimum, maximum }) =>
    maximum === undefined
      ? minimum === undefined
        ? 'whole number'
        : `whole number from ${minimum}`
      : `whole number from ${minimum ?? 0} to ${maximum}`,
  choice: ({ values, open }) =>
    `${values.map(([value]) => `\`${JSON.stringify(value)}\``).join(', ')}${open ? ' or another one' : ''}`,
  nullable: ({ schema }, link) => `${schemaText(schema, link)} or \`null\``,
  list: ({ items }, link) => `list of ${schemaText(items, link)}`,
  map: ({ items }, link) => `object whose values are ${schemaText(items, link)}`,
  anyOf: ({ members }, link) => members.map((member) => schemaText(member, link)).join(' or '),
  object: ({ fields }, link) => {
    const parts = Object.entries(fields)
      .filter(([name]) => name !== '_meta')
      .map(([name, field]) => `\`${name}\`: ${schemaText(field.schema, link)}`);
    return parts.length === 0 ? 'none' : parts.join(', ');
  },
  tagged: ({ tag, variants }) =>
    `object told apart by \`${tag}\`: ${Object.keys(variants)
      .map((value) => `\`"${value}"\``)
      .join(', ')}`,
};

/** Text in a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
