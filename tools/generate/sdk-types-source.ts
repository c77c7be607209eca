import { editionSchemas } from '../../packages/protocol/schema/editions.ts';
import { type OfficialNode, officialNodes } from '../../packages/protocol/schema/official-schema.ts';

/** A file of types under the names of the official SDK. */
interface SdkTypes {
  /** The file of the official schema. */
  readonly schema: string;
  /** The stable edition with most of the same types. Absent: this is one. */
  readonly base?: SdkTypes;
  readonly file: string;
  /** Version 2 marks the variants of a later version, so that nobody builds one by mistake. */
  readonly marksUnknown: boolean;
}

const v1: SdkTypes = { schema: 'v1/schema', file: 'v1-types.ts', marksUnknown: false };
const v2: SdkTypes = { schema: 'v2/schema', file: 'v2-types.ts', marksUnknown: true };

/** The files of types of the package that replaces the official SDK. */
export const sdkTypes: readonly SdkTypes[] = [
  v1,
  { ...v1, schema: 'v1/schema.unstable', file: 'v1-unstable-types.ts', base: v1 },
  v2,
  { ...v2, schema: 'v2/schema.unstable', file: 'v2-unstable-types.ts', base: v2 },
];

const unknownVariant = `declare const unknownVariant: unique symbol;

/** A variant of a later version, as it was received. The mark exists only in the types: values that you build do not have it. */
export type UnknownVariant<Value> = Value & { readonly [unknownVariant]: true };`;

/** The text of a file: an alias for each definition, with members that can be written, as in the official SDK. */
export function sdkTypesSource({ schema, base, marksUnknown }: SdkTypes): string {
  const nodes = officialNodes(schema);
  const known = base === undefined ? {} : officialNodes(base.schema);
  const own = Object.keys(nodes).filter((name) => base === undefined || differs(name, { nodes, known }, new Set()));
  const written = own.map((name) => {
    const type = new TypeWriter(marksUnknown).write(nodes[name] ?? {});
    return { name, text: `${comment(name)}export type ${name} = ${type};` };
  });
  const definitions = own.map((name) => `${name}: ${name};`).join(' ');
  const head = '/** Every definition by its name. */\nexport interface Definitions';
  if (base === undefined) {
    const mark = marksUnknown ? [unknownVariant] : [];
    return [...mark, ...written.map(({ text }) => text), `${head} { ${definitions} }`].join('\n\n');
  }
  const text = written.map((each) => each.text).join('\n\n');
  const borrowed = Object.keys(known).filter((name) => !own.includes(name) && new RegExp(`\\b${name}\\b`).test(text));
  const names = ['Definitions as StableDefinitions', ...borrowed, ...(marksUnknown ? ['UnknownVariant'] : [])];
  const replaced = own.map((name) => `'${name}'`).join(' | ');
  return [
    `import type { ${names.join(', ')} } from './${base.file}';`,
    `export type * from './${base.file}';`,
    text,
    `${head} extends Omit<StableDefinitions, ${replaced}> { ${definitions} }`,
  ].join('\n\n');
}

/** Our sentence about a definition. */
function comment(name: string): string {
  const described = editionSchemas.find(({ definitions }) => definitions[name] !== undefined)?.definitions[name];
  const text = described?.description ?? 'An envelope of a message, or an extension.';
  return `/** ${text.replaceAll('*/', '').replaceAll('\n', '\n * ')} */\n`;
}

interface TwoSchemas {
  readonly nodes: ReturnType<typeof officialNodes>;
  readonly known: ReturnType<typeof officialNodes>;
}

/** Whether a definition, or one that it refers to, differs from the stable one. */
function differs(name: string, schemas: TwoSchemas, visited: Set<string>): boolean {
  if (visited.has(name)) return false;
  visited.add(name);
  const text = shapeOf(schemas.nodes[name]);
  if (text !== shapeOf(schemas.known[name])) return true;
  return [...text.matchAll(/"#\/\$defs\/(\w+)"/g)].some(([, other = '']) => differs(other, schemas, visited));
}

function shapeOf(node: OfficialNode | undefined): string {
  return JSON.stringify(node ?? null, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
}

/** Writes nodes of the official schema as types. */
class TypeWriter {
  readonly #marksUnknown: boolean;

  constructor(marksUnknown: boolean) {
    this.#marksUnknown = marksUnknown;
  }

  write(node: OfficialNode): string {
    const union = node.oneOf ?? node.anyOf;
    const isOther = node.title === 'other' && node.properties !== undefined;
    const parts = [
      ...(node.$ref === undefined ? [] : [node.$ref.replace('#/$defs/', '')]),
      ...(union === undefined ? [] : [this.#union(union)]),
      ...(node.allOf ?? []).map((each) => this.write(each)),
      ...(isOther ? [this.#other(node)] : node.properties === undefined ? [] : [this.#object(node)]),
    ];
    if (parts.length > 0)
      return parts.length === 1 ? (parts[0] as string) : parts.map((part) => `(${part})`).join(' & ');
    return this.#plain(node);
  }

  #union(members: readonly OfficialNode[]): string {
    return [...new Set(members.map((member) => `(${this.write(member)})`))].join(' | ');
  }

  #plain(node: OfficialNode): string {
    if (node.const !== undefined) return JSON.stringify(node.const).replaceAll('"', "'");
    if (Array.isArray(node.type)) return node.type.map((type: string) => this.#plain({ ...node, type })).join(' | ');
    switch (node.type) {
      case 'array':
        return `Array<${this.write(node.items ?? {})}>`;
      case 'object':
        return this.#map(node);
      case 'integer':
      case 'number':
        return 'number';
      default:
        return (node.type as string | undefined) ?? 'unknown';
    }
  }

  #map({ additionalProperties }: OfficialNode): string {
    const value = typeof additionalProperties === 'object' ? this.write(additionalProperties) : 'unknown';
    return `{ [key: string]: ${value} }`;
  }

  /** A variant that this version does not name. */
  #other(node: OfficialNode): string {
    const type = this.#object({ ...node, additionalProperties: true });
    if (!this.#marksUnknown) return type;
    const [tag = ''] = node.required ?? [];
    return `${type.replace(`${tag}: string;`, `${tag}: \`_\${string}\`;`)} | UnknownVariant<${type}>`;
  }

  #object({ properties = {}, required = [], additionalProperties }: OfficialNode): string {
    const fields = Object.entries(properties).map(([name, node]) => {
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      return required.includes(name) ? `${key}: ${this.write(node)};` : `${key}?: ${this.write(node)};`;
    });
    return `{ ${fields.join(' ')} ${additionalProperties === true ? '[key: string]: unknown;' : ''} }`;
  }
}
