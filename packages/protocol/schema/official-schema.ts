import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ChoiceSchema, Field, IntegerSchema, ObjectSchema, Schema, TaggedSchema, Variant } from './schema.ts';

/** The part of JSON Schema that the official schema uses. */
export interface OfficialNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly contentEncoding?: string;
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
  `$ref type const format minimum maximum minLength minItems contentEncoding default title items properties required additionalProperties allOf anyOf oneOf not
   discriminator unevaluatedProperties description x-side x-method x-docs-ignore
   x-deserialize-default-on-error x-deserialize-skip-invalid-items x-deserialize-default-on-null`.split(/\s+/),
);

/** The definitions of a schema file of the official SDK, such as `v1/schema`. */
export function officialDefinitions(file: string): OfficialDefinitions {
  return Object.fromEntries(Object.entries(officialNodes(file)).filter(([name]) => !notMessages.test(name)));
}

/** The same with envelopes and messages between proxies. */
export function officialNodes(file: string): OfficialDefinitions {
  const path = createRequire(import.meta.url).resolve(`@agentclientprotocol/sdk/schema/${file}.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { $defs: OfficialDefinitions }).$defs;
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
  if (node.$ref !== undefined) return from.resolve(node.$ref.replace('#/$defs/', ''));
  if (node.allOf?.[0] !== undefined) return importedSchema(node.allOf[0], from);
  if (node.properties !== undefined || (node.type === 'object' && node.additionalProperties === undefined)) return objectSchema(node, from);
  if (node.oneOf !== undefined || node.anyOf !== undefined) return unionSchema(node, from);
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
      return { kind: 'double', ...boundsOf(node) };
    case 'array':
      return { kind: 'list', items: importedSchema(items, from), ...(node.minItems !== undefined && { notEmpty: true }) };
    case 'object':
      return { kind: 'map', items: typeof additional === 'object' ? importedSchema(additional, from) : { kind: 'any' } };
    case undefined:
      return { kind: 'any' };
    default:
      throw unreadable(node, 'type');
  }
}

function stringSchema({ format, minLength, contentEncoding }: OfficialNode): Schema {
  return {
    kind: 'string',
    ...((format === 'uri' || format === 'checked-uri' || format === 'absolute-path') && { format }),
    ...(contentEncoding === 'base64' && { format: 'base64' as const }),
    ...(minLength !== undefined && { notEmpty: true }),
  };
}

function integerSchema(node: OfficialNode): Schema {
  return { kind: 'integer', format: node.format as IntegerSchema['format'], ...boundsOf(node) };
}

function boundsOf({ minimum, maximum }: OfficialNode): Pick<IntegerSchema, 'minimum' | 'maximum'> {
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

function objectSchema(node: OfficialNode, from: Import): Schema {
  const isUnion = node.oneOf !== undefined || node.anyOf !== undefined;
  const also = isUnion ? unionSchema(node, from) : undefined;
  const fields = Object.entries(fieldsOf(node, from));
  if (also?.kind !== 'tagged') return { kind: 'object', fields: Object.fromEntries(fields), ...(also && { also }) };
  // The official schema may describe the tag as a field as well. The union says which values it has; the field says that a bad one is read as absent.
  const tagField = fields.find(([name]) => name === also.tag)?.[1];
  const others = Object.fromEntries(fields.filter(([name]) => name !== also.tag));
  return { kind: 'object', fields: others, also: { ...also, ...(tagField?.rules.onError && { onError: true }) } };
}

function fieldsOf(node: OfficialNode, from: Import): ObjectSchema['fields'] {
  return Object.fromEntries(Object.keys(node.properties ?? {}).map((name) => [name, importedField(node, name, from)]));
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

function unionSchema({ oneOf, anyOf = [] }: OfficialNode, from: Import): Schema {
  const union = oneOf ?? anyOf;
  const [first, second] = union;
  const tag = tagOf(union);
  if (tag !== undefined) return taggedSchema(union, tag, from);
  if (first && second?.type === 'null' && union.length === 2) return { kind: 'nullable', schema: importedSchema(first, from) };
  if (first?.const !== undefined) return choiceSchema(union, from);
  return { kind: 'anyOf', members: union.map((member) => unionMember(member, from)), ...(oneOf && { exactlyOne: true }) };
}

/** The field that distinguishes the members of a union: the only one of the first member, or one with a member for all its other values. */
function tagOf(union: readonly OfficialNode[]): string | undefined {
  const [first, ...more] = Object.entries(union[0]?.properties ?? {});
  const isTag = first?.[1].const !== undefined && (more.length === 0 || union.some(isOther));
  return isTag ? first[0] : undefined;
}

function isOther({ title }: OfficialNode): boolean {
  return title === 'other';
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
  const variant = (member: OfficialNode, label: string) =>
    payloadOf(member, tag, { ...from, describe: (key) => from.describe(`|${label}.${key}`) });
  const named = union.flatMap((member): readonly (readonly [string, Variant])[] => {
    const name = value(member);
    return name === undefined ? [] : [[name, { schema: variant(member, name), description: from.describe(`=${name}`) }]];
  });
  const other = union.find(isOther);
  const untagged = union.find((member) => member !== other && !(member.required?.includes(tag) && value(member) !== undefined));
  return {
    kind: 'tagged',
    tag,
    variants: Object.fromEntries(named),
    ...(untagged && { untagged: value(untagged) ?? variant(untagged, 'none') }),
    ...(other && { other: openPayloadOf(other, tag, from) }),
  };
}

/** A member of a tagged union without its tag. */
function payloadOf(member: OfficialNode, tag: string, from: Import): Schema {
  const { [tag]: _, ...properties } = member.properties ?? {};
  return member.allOf?.[0] ? importedSchema(member.allOf[0], from) : { kind: 'object', fields: fieldsOf({ ...member, properties }, from) };
}

/** The other fields of a member whose tag is unknown. */
function openPayloadOf(other: OfficialNode, tag: string, from: Import): Schema {
  if (other.anyOf !== undefined || other.oneOf !== undefined) return unionSchema(other, from);
  const payload = payloadOf(other, tag, { ...from, describe: (key) => from.describe(`|other.${key}`) });
  return payload.kind === 'object' && Object.keys(payload.fields).length === 0 ? { kind: 'any' } : payload;
}

function unreadable(node: OfficialNode, keyword: string): Error {
  return new Error(`the official schema uses ${keyword} in a way that is not read here: ${JSON.stringify(node).slice(0, 200)}`);
}
