import { type OfficialDefinitions, type OfficialNode as Node, tagOf } from '../../schema/official-schema.ts';
import { fieldFact, type Outline } from './outline.ts';

/** What the outline makes use of, and what says nothing about the shape of a message. */
const understood = new Set(
  `$ref type const format minimum maximum minLength default title items properties required additionalProperties allOf anyOf oneOf not
   discriminator unevaluatedProperties description x-side x-method x-docs-ignore
   x-deserialize-default-on-error x-deserialize-skip-invalid-items x-deserialize-default-on-null`.split(/\s+/),
);

/** The facts of an official schema. */
export function officialOutline(definitions: OfficialDefinitions): Outline {
  return new Map(Object.entries(definitions).flatMap(([name, node]) => facts(name, node)));
}

type Facts = readonly (readonly [at: string, fact: string])[];

function facts(name: string, node: Node): Facts {
  const union = node.oneOf ?? node.anyOf;
  const tag = union && tagOf(union);
  const isObject = node.type === 'object';
  const what = tag ? `tagged by ${tag}` : 'and more';
  if (isObject) {
    const rest = union ? (tag ? variants(name, tag, union) : [[`${name}&`, written({ anyOf: union })] as const]) : [];
    return [[name, union ? `object, ${what}` : 'object'], ...fields(name, node), ...rest, ...strange(name, node)];
  }
  if (union && tag) return [[name, what], ...variants(name, tag, union), ...strange(name, node)];
  if (union?.some((member) => member.const !== undefined)) return [...choice(name, union), ...strange(name, node)];
  return [[name, written(node)], ...strange(name, node)];
}

function variants(name: string, tag: string, union: readonly Node[]): Facts {
  return union.map((member) => [`${name}=${variantName(tag, member)}`, payload(member)] as const);
}

function variantName(tag: string, { properties }: Node): string {
  const own = properties?.[tag];
  if (own === undefined || own.type === 'null') return '(none)';
  return own.const === undefined ? '*' : String(own.const);
}

function payload(member: Node): string {
  if (member.allOf) return written({ allOf: member.allOf });
  if (member.anyOf) return written({ anyOf: member.anyOf });
  return member.title === 'other' ? 'anything' : '{}';
}

function choice(name: string, union: readonly Node[]): Facts {
  const of = union[0]?.type === 'string' ? 'string' : String(union[0]?.format);
  return [
    [name, `choice of ${of}`],
    ...union.map((member) => [`${name}=${member.const ?? '*'}`, member.const === undefined ? of : 'known'] as const),
  ];
}

function fields(name: string, { properties = {}, required = [] }: Node): Facts {
  return Object.entries(properties).flatMap(([key, node]) => [
    [`${name}.${key}`, field(node, required.includes(key))] as const,
    ...strange(`${name}.${key}`, node),
  ]);
}

function field(node: Node, required: boolean): string {
  const rules = [
    node['x-deserialize-default-on-error'] && 'E',
    node['x-deserialize-skip-invalid-items'] && 'S',
    node['x-deserialize-default-on-null'] && 'N',
  ];
  return fieldFact(written(node), { required, rules: rules.filter(Boolean).join(''), absentMeans: node.default });
}

function written(node: Node): string {
  if (node.$ref) return node.$ref.replace('#/$defs/', '');
  if (node.allOf) return node.allOf.map(written).join(' & ');
  if (node.anyOf) return anyOf(node.anyOf);
  if (Array.isArray(node.type)) return `${written({ ...node, type: node.type[0] as string })} or null`;
  if (node.const !== undefined) return JSON.stringify(node.const);
  switch (node.type) {
    case undefined:
      return 'anything';
    case 'string':
      return [node.minLength !== undefined && 'non-empty', node.format, 'string'].filter(Boolean).join(' ');
    case 'number':
      return String(node.format);
    case 'integer':
      return [
        node.format,
        node.minimum !== undefined && `from ${node.minimum}`,
        node.maximum !== undefined && `to ${node.maximum}`,
      ]
        .filter(Boolean)
        .join(' ');
    case 'array':
      return `list of ${written(node.items ?? {})}`;
    case 'object':
      return object(node);
    default:
      return String(node.type);
  }
}

function anyOf(members: readonly Node[]): string {
  const [first, second, ...more] = members;
  if (first && second?.type === 'null' && more.length === 0) return `${written(first)} or null`;
  return members.map(written).join(' | ');
}

function object({ additionalProperties, properties = {}, required = [] }: Node): string {
  if (additionalProperties !== undefined)
    return `map of ${additionalProperties === true ? 'anything' : written(additionalProperties as Node)}`;
  return `{${Object.entries(properties)
    .map(([name, node]) => `${name}: ${field(node, required.includes(name))}`)
    .join('; ')}}`;
}

/** Words of JSON Schema this reader does not know: to be looked at, not passed over. */
function strange(at: string, node: Node): Facts {
  const words = Object.keys(node).filter((keyword) => !understood.has(keyword));
  return words.map((word) => [`${at} ${word}`, JSON.stringify(node[word])] as const);
}
