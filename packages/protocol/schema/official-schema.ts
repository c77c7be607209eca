import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Schema, Variant } from './language.ts';
import { Field } from './language.ts';

/** The part of JSON Schema the official schema is written in. */
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

/** Definitions that describe envelopes or nothing at all (the peer reads those), or what passes between proxies. */
const notMessages = /^(Agent|Client)(Request|Response|Notification)$|^Ext(Request|Response|Notification)$|Proxy/;

/** The definitions of a schema the official SDK ships. */
export function officialDefinitions(file: 'schema' | 'schema.unstable'): OfficialDefinitions {
  const path = createRequire(import.meta.url).resolve(`@agentclientprotocol/sdk/schema/v1/${file}.json`);
  const { $defs } = JSON.parse(readFileSync(path, 'utf8')) as { $defs: { [name: string]: OfficialNode } };
  return Object.fromEntries(Object.entries($defs).filter(([name]) => !notMessages.test(name)));
}

/** The definition a reference leads to. */
export type Resolve = (name: string) => Schema;

/** The field a union is told apart by, if each known member begins with one. */
export function tagOf(union: readonly OfficialNode[]): string | undefined {
  const [first, ...more] = Object.entries(union[0]?.properties ?? {});
  return first?.[1].const !== undefined && more.length === 0 ? first[0] : undefined;
}

/** A node of the official schema in our words. */
export function importedSchema(node: OfficialNode, resolve: Resolve): Schema {
  const { $ref, allOf } = node;
  const union = node.oneOf ?? node.anyOf;
  if ($ref !== undefined) return resolve($ref.replace('#/$defs/', ''));
  if (allOf?.[0] !== undefined) return importedSchema(allOf[0], resolve);
  if (node.properties !== undefined || (node.type === 'object' && node.additionalProperties === undefined))
    return objectSchema(node, resolve);
  if (union !== undefined) return unionSchema(union, resolve);
  return Array.isArray(node.type)
    ? { kind: 'nullable', schema: importedSchema({ ...node, type: node.type[0] as string }, resolve) }
    : plainSchema(node, resolve);
}

function plainSchema(node: OfficialNode, resolve: Resolve): Schema {
  const { minLength, items = {}, additionalProperties: additional } = node;
  switch (node.type) {
    case 'boolean':
    case 'null':
      return { kind: node.type };
    case 'string':
      return minLength === undefined ? { kind: 'string' } : { kind: 'string', notEmpty: true };
    case 'integer':
      return integerSchema(node);
    case 'array':
      return { kind: 'list', items: importedSchema(items, resolve) };
    case 'object':
      return {
        kind: 'map',
        items: typeof additional === 'object' ? importedSchema(additional, resolve) : { kind: 'any' },
      };
    case undefined:
      return { kind: 'any' };
    default:
      throw new Error(`the official schema has something new: ${JSON.stringify(node).slice(0, 200)}`);
  }
}

function integerSchema({ format, minimum, maximum }: OfficialNode): Schema {
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return { kind: 'integer', format: format as 'uint64', ...bounds };
}

function objectSchema(node: OfficialNode, resolve: Resolve): Schema {
  const union = node.oneOf ?? node.anyOf;
  const fields = Object.fromEntries(Object.keys(node.properties ?? {}).map((name) => [name, importedField(node, name, resolve)]));
  return { kind: 'object', fields, ...(union && { also: unionSchema(union, resolve) }) };
}

/** A property of an object as one of our fields. */
export function importedField({ properties = {}, required = [] }: OfficialNode, name: string, resolve: Resolve): Field {
  const node = properties[name] ?? {};
  return new Field(importedSchema(node, resolve), {
    required: required.includes(name),
    description: '',
    ...(node['x-deserialize-default-on-error'] === true && { onError: true }),
    ...(node['x-deserialize-skip-invalid-items'] === true && { badItems: true }),
    ...(node['x-deserialize-default-on-null'] === true && { onNull: true }),
    ...(node.default !== undefined && { absentMeans: node.default }),
  });
}

function unionSchema(union: readonly OfficialNode[], resolve: Resolve): Schema {
  const [first, second] = union;
  const tag = tagOf(union);
  if (tag !== undefined) return taggedSchema(union, tag, resolve);
  if (first && second?.type === 'null' && union.length === 2) return { kind: 'nullable', schema: importedSchema(first, resolve) };
  const known = union.flatMap(({ const: value }) => (value === undefined ? [] : [[value, ''] as const]));
  if (known.length > 0) return { kind: 'choice', of: 'string', open: known.length < union.length, values: known };
  return { kind: 'anyOf', members: union.map((member) => importedSchema(member, resolve)) };
}

function taggedSchema(union: readonly OfficialNode[], tag: string, resolve: Resolve): Schema {
  const withTag = union.filter(({ properties }) => properties?.[tag]?.type !== 'null');
  return {
    kind: 'tagged',
    tag,
    variants: Object.fromEntries(
      withTag.flatMap((member) => {
        const value = member.properties?.[tag]?.const;
        return value === undefined ? [] : [[String(value), importedVariant(member, resolve)]];
      }),
    ),
    ...(withTag.length < union.length && { untagged: { kind: 'object', fields: {} } }),
    ...(union.some(({ title }) => title === 'other') && { other: { kind: 'any' } }),
  };
}

/** A member of a tagged union without its tag. */
export function importedVariant({ allOf }: OfficialNode, resolve: Resolve): Variant {
  const schema: Schema = allOf?.[0] ? importedSchema(allOf[0], resolve) : { kind: 'object', fields: {} };
  return { schema, description: '' };
}
