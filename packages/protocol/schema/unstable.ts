import { importedField, importedSchema, importedVariant, officialDefinitions, type OfficialNode } from './official-schema.ts';
import { definitions } from './definitions.ts';
import type { ObjectSchema, Schema, TaggedSchema } from './language.ts';
import { unstableMeanings } from './unstable-meanings.ts';

/*
 * The unstable methods are read from the official schema: they change with every release, and most go again. Only what each definition is
 * for is written here. Where they add to a stable definition, ours is taken and what is new is added.
 */

const stable = officialDefinitions('schema');
const unstable = officialDefinitions('schema.unstable');
const built = new Map<string, Schema>();

for (const name of Object.keys(unstable)) resolve(name);

/** The definitions that are not those of the stable edition: new, added to, or with such a one inside. */
export const unstableDefinitions: { readonly [name: string]: Schema } = withDependents(
  Object.fromEntries([...built].filter(([name, schema]) => definitions[name] !== schema)),
);

function resolve(name: string): Schema {
  const schema = built.get(name) ?? build(name, unstable[name] ?? {});
  built.set(name, schema);
  return schema;
}

function build(name: string, node: OfficialNode): Schema {
  const ours = definitions[name];
  if (ours !== undefined) return extended(ours, stable[name] ?? {}, node);
  const meaning = unstableMeanings[name];
  if (meaning === undefined) throw new Error(`${name} is new in the official unstable schema: say what it is for in unstable-meanings.ts`);
  return { ...importedSchema(node, resolve), description: `${meaning} Unstable: it may change or go with any release.` };
}

/** Our schema with what the unstable one has besides the stable one; the same schema if that is nothing. */
function extended(ours: Schema, before: OfficialNode, after: OfficialNode): Schema {
  if (ours.kind === 'object') return withFields(ours, before, after);
  return ours.kind === 'tagged' ? withVariants(ours, after) : ours;
}

function withFields(ours: ObjectSchema, before: OfficialNode, after: OfficialNode): Schema {
  const changed = Object.entries(after.properties ?? {}).filter(
    ([name, node]) => JSON.stringify(rules(node)) !== JSON.stringify(rules(before.properties?.[name] ?? {})),
  );
  if (changed.length === 0) return ours;
  const added = changed.map(([name]) => {
    const field = importedField(after, name, resolve);
    const description = ours.fields[name]?.rules.description ?? 'Unstable.';
    return [name, Object.assign(field, { rules: { ...field.rules, description } })] as const;
  });
  return { ...ours, fields: { ...ours.fields, ...Object.fromEntries(added) } };
}

/** A node without what it says to people. */
function rules({ description: _description, ...rest }: OfficialNode): OfficialNode {
  return rest;
}

function withVariants(ours: TaggedSchema, { oneOf, anyOf }: OfficialNode): Schema {
  const added = (oneOf ?? anyOf ?? []).flatMap((member) => {
    const value = member.properties?.[ours.tag]?.const;
    if (value === undefined || Object.hasOwn(ours.variants, value)) return [];
    return [[String(value), { ...importedVariant(member, resolve), description: 'Unstable.' }] as const];
  });
  return added.length === 0 ? ours : { ...ours, variants: { ...ours.variants, ...Object.fromEntries(added) } };
}

function withDependents(own: { readonly [name: string]: Schema }): { readonly [name: string]: Schema } {
  const names = new Set(Object.keys(own));
  const owned = new Set(Object.values(own));
  const replaced = new Set(Object.keys(own).flatMap((name) => definitions[name] ?? []));
  const dependents = Object.entries(definitions).filter(
    ([name, schema]) => !names.has(name) && inside(schema).some((each) => owned.has(each) || replaced.has(each)),
  );
  return dependents.length === 0 ? own : withDependents({ ...own, ...Object.fromEntries(dependents) });
}

/** The schemas a schema is made of, however deep. */
function inside(schema: Schema): readonly Schema[] {
  const parts = partsOf(schema);
  return [...parts, ...parts.flatMap(inside)];
}

/** The schemas a schema is directly made of. */
export function partsOf(schema: Schema): readonly Schema[] {
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
