import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ChoiceSchema, Field, IntegerSchema, Schema, TaggedSchema, Variant } from './schema.ts';

/** The part of JSON Schema that the official schema uses. */
export interface OfficialNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly default?: unknown;
  readonly title?: string;
  readonly items?: OfficialNode;
  readonly properties?: { readonly [name: string]: OfficialNode };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | OfficialNode;
  readonly allOf?: readonly OfficialNode[];
  readonly anyOf?: readonly OfficialNode[];
  readonly oneOf?: readonly OfficialNode[];
  readonly 'x-side'?: string;
  readonly 'x-method'?: string;
  readonly [keyword: string]: unknown;
}

export type OfficialDefinitions = { readonly [name: string]: OfficialNode };

/** Envelopes, which the peer reads itself, and what passes between proxies. */
const notMessages = /^(Agent|Client)(Request|Response|Notification)$|^Ext(Request|Response|Notification)$|Proxy/;

/** The keywords this importer reads, and those that say nothing about the shape of a message. */
const keywords = new Set(
  `$ref type const format minimum maximum minLength default title items properties required additionalProperties allOf anyOf oneOf not
   discriminator unevaluatedProperties description x-side x-method x-docs-ignore
   x-deserialize-default-on-error x-deserialize-skip-invalid-items x-deserialize-default-on-null`.split(/\s+/),
);

/** The definitions of a schema file of the official SDK, such as `v1/schema`. */
export function officialDefinitions(file: string): OfficialDefinitions {
  const path = createRequire(import.meta.url).resolve(`@agentclientprotocol/sdk/schema/${file}.json`);
  const { $defs } = JSON.parse(readFileSync(path, 'utf8')) as { $defs: { [name: string]: OfficialNode } };
  return Object.fromEntries(Object.entries($defs).filter(([name]) => !notMessages.test(name)));
}

/** What the importer needs to know besides the node. */
export interface Import {
  /** The schema of another definition. */
  readonly resolve: (name: string) => Schema;
  /** Our sentence for a part of this definition; the keys are those of `Descriptions`. */
  readonly describe: (key: string) => string;
}

/** A definition of the official schema. @throws for JSON Schema that this importer does not know, so that nothing is passed over. */
export function importedDefinition(node: OfficialNode, from: Import): Schema {
  return { ...importedSchema(node, from), description: from.describe('') };
}

function importedSchema(node: OfficialNode, from: Import): Schema {
  const unknown = Object.keys(node).find((keyword) => !keywords.has(keyword));
  if (unknown !== undefined) throw unreadable(node, unknown);
  const union = node.oneOf ?? node.anyOf;
  if (node.$ref !== undefined) return from.resolve(node.$ref.replace('#/$defs/', ''));
  if (node.allOf?.[0] !== undefined) return importedSchema(node.allOf[0], from);
  if (node.properties !== undefined || (node.type === 'object' && node.additionalProperties === undefined)) return objectSchema(node, from);
  if (union !== undefined) return unionSchema(union, from);
  if (node.const !== undefined) return { kind: 'choice', of: 'string', open: false, values: [[node.const, '']] };
  return Array.isArray(node.type)
    ? { kind: 'nullable', schema: plainSchema({ ...node, type: node.type[0] as string }, from) }
    : plainSchema(node, from);
}

function plainSchema(node: OfficialNode, from: Import): Schema {
  const { items = {}, additionalProperties: additional } = node;
  switch (node.type) {
    case 'boolean':
    case 'null':
      return { kind: node.type };
    case 'string':
      return stringSchema(node);
    case 'integer':
      return integerSchema(node);
    case 'number':
      return { kind: 'double' };
    case 'array':
      return { kind: 'list', items: importedSchema(items, from) };
    case 'object':
      return { kind: 'map', items: typeof additional === 'object' ? importedSchema(additional, from) : { kind: 'any' } };
    case undefined:
      return { kind: 'any' };
    default:
      throw unreadable(node, 'type');
  }
}

function stringSchema({ format, minLength }: OfficialNode): Schema {
  return {
    kind: 'string',
    ...((format === 'uri' || format === 'absolute-path') && { format }),
    ...(minLength !== undefined && { notEmpty: true }),
  };
}

function integerSchema({ format, minimum, maximum }: OfficialNode): Schema {
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return { kind: 'integer', format: format as IntegerSchema['format'], ...bounds };
}

function objectSchema(node: OfficialNode, from: Import): Schema {
  const union = node.oneOf ?? node.anyOf;
  const fields = Object.keys(node.properties ?? {}).map((name) => [name, importedField(node, name, from)] as const);
  return { kind: 'object', fields: Object.fromEntries(fields), ...(union && { also: unionSchema(union, from) }) };
}

function importedField({ properties = {}, required = [] }: OfficialNode, name: string, from: Import): Field {
  const node = properties[name] ?? {};
  const rules = {
    required: required.includes(name),
    description: from.describe(name),
    ...(node['x-deserialize-default-on-error'] === true && { onError: true as const }),
    ...(node['x-deserialize-skip-invalid-items'] === true && { badItems: true as const }),
    ...(node['x-deserialize-default-on-null'] === true && { onNull: true as const }),
    ...(!required.includes(name) && node.default !== undefined && { absentMeans: node.default }),
  };
  return { schema: importedSchema(node, from), rules };
}

function unionSchema(union: readonly OfficialNode[], from: Import): Schema {
  const [first, second] = union;
  const tag = tagOf(union);
  if (tag !== undefined) return taggedSchema(union, tag, from);
  if (first && second?.type === 'null' && union.length === 2) return { kind: 'nullable', schema: importedSchema(first, from) };
  if (first?.const !== undefined) return choiceSchema(union, from);
  return { kind: 'anyOf', members: union.map((member) => unionMember(member, from)) };
}

/** The field that distinguishes the members of a union, if the first begins with one. */
function tagOf(union: readonly OfficialNode[]): string | undefined {
  const [first, ...more] = Object.entries(union[0]?.properties ?? {});
  return first?.[1].const !== undefined && more.length === 0 ? first[0] : undefined;
}

function choiceSchema(union: readonly OfficialNode[], from: Import): ChoiceSchema {
  const values = union.flatMap(({ const: value }) => (value === undefined ? [] : [[value, from.describe(`=${value}`)] as const]));
  return { kind: 'choice', of: union[0]?.type === 'integer' ? 'int32' : 'string', open: values.length < union.length, values };
}

function unionMember(member: OfficialNode, from: Import): Schema {
  if (member.$ref !== undefined || member.allOf !== undefined) return importedSchema(member, from);
  const label = `|${member.title ?? Object.values(member.properties ?? {})[0]?.const}`;
  const inside = { ...from, describe: (key: string) => from.describe(`${label}.${key}`) };
  return { ...importedSchema(member, inside), description: from.describe(label) };
}

function taggedSchema(union: readonly OfficialNode[], tag: string, from: Import): TaggedSchema {
  const value = ({ properties }: OfficialNode) => properties?.[tag]?.const as string | undefined;
  const named = union.flatMap((member) => {
    const name = value(member);
    return name === undefined ? [] : [[name, importedVariant(member, from.describe(`=${name}`), from)] as const];
  });
  const other = union.find(({ title }) => title === 'other');
  const untagged = union.find((member) => member !== other && !(member.required?.includes(tag) && value(member) !== undefined));
  return {
    kind: 'tagged',
    tag,
    variants: Object.fromEntries(named),
    ...(untagged && { untagged: value(untagged) ?? importedVariant(untagged, '', from).schema }),
    ...(other && { other: other.anyOf ? unionSchema(other.anyOf, from) : { kind: 'any' as const } }),
  };
}

/** A member of a tagged union without its tag. */
function importedVariant({ allOf }: OfficialNode, description: string, from: Import): Variant {
  return { schema: allOf?.[0] ? importedSchema(allOf[0], from) : { kind: 'object', fields: {} }, description };
}

function unreadable(node: OfficialNode, keyword: string): Error {
  return new Error(`the official schema uses ${keyword} in a way that is not read here: ${JSON.stringify(node).slice(0, 200)}`);
}
