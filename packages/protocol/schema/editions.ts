import { connectionDescriptions } from './descriptions/connection.ts';
import { serviceDescriptions } from './descriptions/service.ts';
import { sessionDescriptions } from './descriptions/session.ts';
import { unstableDescriptions } from './descriptions/unstable.ts';
import { updateDescriptions } from './descriptions/update.ts';
import { v2Descriptions } from './descriptions/v2.ts';
import { v1Nodes, v1UnstableNodes } from './differences.ts';
import { v2Nodes, v2UnstableNodes } from './differences-v2.ts';
import { importedDefinition, type OfficialDefinitions, type OfficialNode } from './official-schema.ts';
import type { Definitions, Descriptions, Schema } from './schema.ts';

/** The definitions that are written into the files of one edition of the protocol. */
export interface EditionSchema {
  /** Before the name of each of its files. */
  readonly prefix: '' | 'unstable-' | 'v2-' | 'v2-unstable-';
  /** The edition that this one extends: `definitions` then has only those that differ. */
  readonly base?: EditionSchema;
  readonly definitions: Definitions;
}

/** In the order of a connection's life, which is the order of the generated files. */
const descriptions: Descriptions = { ...connectionDescriptions, ...sessionDescriptions, ...updateDescriptions, ...serviceDescriptions };

/** Fields that mean the same wherever they occur. */
const everywhere: { readonly [field: string]: string } = {
  _meta: 'Extra data for those who know its keys; everyone else passes it on untouched. `null` is the same as absent.',
  annotations: 'Hints about what to do with it. Absent or `null`: none.',
  default: 'The initial value. Absent or `null`: none.',
};

/** The stable methods of version 1. */
export const stableEdition: EditionSchema = { prefix: '', definitions: stableDefinitions(v1Nodes, { own: descriptions, shared: {} }) };
/** What the unstable methods add to it: definitions that are new, that differ, or that contain such a one. */
export const unstableEdition: EditionSchema = unstableAddition(stableEdition, 'unstable-', {
  stable: v1Nodes,
  unstable: v1UnstableNodes,
});

/** The stable methods of version 2, those of its Preview included. */
export const v2Edition: EditionSchema = {
  prefix: 'v2-',
  definitions: stableDefinitions(v2Nodes, { own: v2Descriptions, shared: descriptions }),
};
/** Definitions of the unstable methods of version 2: those that are new, that differ, or that contain such a one. */
export const v2UnstableEdition: EditionSchema = unstableAddition(v2Edition, 'v2-unstable-', { stable: v2Nodes, unstable: v2UnstableNodes });

export const editionSchemas: readonly EditionSchema[] = [stableEdition, unstableEdition, v2Edition, v2UnstableEdition];

const names = new Map(editionSchemas.flatMap(({ definitions }) => Object.entries(definitions)).map(([name, schema]) => [schema, name]));

/** The name of a definition; `undefined` for a schema without one. */
export function nameOf(schema: Schema): string | undefined {
  return names.get(schema);
}

/** How often definitions mention each of them, and others. */
export function mentionsIn(definitions: Definitions): ReadonlyMap<string, number> {
  const all = Object.values(definitions).flatMap(mentioned);
  return new Map(all.map((name) => [name, all.filter((other) => other === name).length]));
}

/** The names that an edition mentions and takes from its base. */
export function borrowedNames({ definitions }: EditionSchema): readonly string[] {
  return [...new Set(Object.values(definitions).flatMap(mentioned))].filter((name) => !Object.hasOwn(definitions, name)).toSorted();
}

interface StableDescriptions {
  readonly own: Descriptions;
  /** Sentences of another version, for definitions and fields that have none in `own`. */
  readonly shared: Descriptions;
}

function stableDefinitions(nodes: OfficialDefinitions, { own, shared }: StableDescriptions): Definitions {
  const used = new Set<string>();
  const describe = (name: string, key: string): string => {
    used.add(`${name} ${key}`);
    const text = own[name]?.[key] ?? shared[name]?.[key] ?? everywhere[key];
    if (text === undefined) throw new Error(`${name} has no description for '${key}': add it in schema/descriptions/`);
    return text;
  };
  const order = [...new Set([...Object.keys(shared), ...Object.keys(own), ...Object.keys(nodes)])];
  const definitions = importedDefinitions(
    order.filter((name) => own[name] !== undefined || nodes[name] !== undefined),
    { nodes, describe },
  );
  const stale = Object.entries(own)
    .flatMap(([name, texts]) => Object.keys(texts).map((key) => `${name} ${key}`))
    .filter((place) => !used.has(place));
  if (stale.length > 0) throw new Error(`schema/descriptions/ describes what the official schema does not have: ${stale.join(', ')}`);
  return definitions;
}

interface TwoSchemas {
  readonly stable: OfficialDefinitions;
  readonly unstable: OfficialDefinitions;
}

/** Unstable definitions change with every release, so only the definitions are described in our words, not their fields. */
function unstableAddition(base: EditionSchema, prefix: EditionSchema['prefix'], { stable, unstable }: TwoSchemas): EditionSchema {
  const describe = (name: string, key: string): string => {
    const known = base.prefix === '' ? descriptions[name] : { ...descriptions[name], ...v2Descriptions[name] };
    if (known !== undefined && base.definitions[name] !== undefined) return known[key] ?? everywhere[key] ?? 'Unstable.';
    if (key !== '') return everywhere[key] ?? '';
    const text = unstableDescriptions[name];
    if (text === undefined) throw new Error(`${name} is new in the unstable schema: describe it in schema/descriptions/unstable.ts`);
    return `${text} Unstable: it may change or go with any release.`;
  };
  const own = Object.keys(unstable).filter((name) => isChanged(name, { stable, unstable }, new Set()));
  return { prefix, base, definitions: importedDefinitions(own, { nodes: unstable, describe, borrowed: base.definitions }) };
}

interface Source {
  readonly nodes: OfficialDefinitions;
  readonly describe: (name: string, key: string) => string;
  /** Definitions of another edition, which are used where `nodes` are not to be imported. */
  readonly borrowed?: Definitions;
}

function importedDefinitions(names: readonly string[], { nodes, describe, borrowed = {} }: Source): Definitions {
  const built = new Map<string, Schema>();
  const resolve = (name: string): Schema => {
    const known = built.get(name) ?? (names.includes(name) ? undefined : borrowed[name]);
    if (known !== undefined) return known;
    const node = nodes[name];
    if (node === undefined) throw new Error(`the official schema has no definition ${name}`);
    const schema = importedDefinition(node, { resolve, describe: (key) => describe(name, key) });
    built.set(name, schema);
    return schema;
  };
  return Object.fromEntries(names.map((name) => [name, resolve(name)]));
}

/** Whether the unstable schema says something else about a definition, or about one that it refers to. */
function isChanged(name: string, schemas: TwoSchemas, visited: Set<string>): boolean {
  if (visited.has(name)) return false;
  visited.add(name);
  const { [name]: stable } = schemas.stable;
  const text = shapeText(schemas.unstable[name] ?? {});
  if (stable === undefined || shapeText(stable) !== text) return true;
  return [...text.matchAll(/"#\/\$defs\/(\w+)"/g)].some(([, other = '']) => isChanged(other, schemas, visited));
}

/** A node as text, without its descriptions. */
function shapeText(node: OfficialNode): string {
  return JSON.stringify(node, (key, value: unknown) => (key === 'description' && typeof value === 'string' ? undefined : value));
}

function mentioned(schema: Schema): readonly string[] {
  return partsOf(schema).flatMap((part) => nameOf(part) ?? mentioned(part));
}

/** The schemas that a schema is directly made of. */
function partsOf(schema: Schema): readonly Schema[] {
  switch (schema.kind) {
    case 'nullable':
      return [schema.schema];
    case 'list':
    case 'map':
      return [schema.items];
    case 'anyOf':
      return schema.members;
    case 'object':
      return [...Object.values(schema.fields).map((field) => field.schema), ...(schema.also ? [schema.also] : [])];
    case 'tagged':
      return [
        ...Object.values(schema.variants).map((variant) => variant.schema),
        ...(schema.untagged && typeof schema.untagged !== 'string' ? [schema.untagged] : []),
        ...(schema.other ? [schema.other] : []),
      ];
    default:
      return [];
  }
}
