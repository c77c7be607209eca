import { type EditionSchema, nameOf } from '../../packages/protocol/schema/editions.ts';
import {
  type AnyOfSchema,
  type ByKind,
  byKind,
  type ChoiceSchema,
  type DoubleSchema,
  type Field,
  type IntegerSchema,
  type ObjectSchema,
  type Schema,
  type StringSchema,
  type TaggedSchema,
} from '../../packages/protocol/schema/schema.ts';

interface Hoisted {
  readonly definitions: EditionSchema['definitions'];
  /** Functions no definition has a name for, lists and maps mostly, under the name they got. */
  readonly functions: Map<string, string>;
}

/**
 * The definitions in streams of messages get functions of their own, which take some 20 ns. All others are checked by the inspection that
 * plans repairs, which adds no code to a bundle.
 */
export const frequent: ReadonlySet<string> = new Set([
  'PromptRequest',
  'PromptResponse',
  'SessionNotification',
  'StopReason',
  'SessionUpdate',
  'ContentChunk',
  'ContentBlock',
  'TextContent',
  'ToolCall',
  'ToolCallUpdate',
  'ToolCallContent',
  'ToolCallLocation',
  'ToolCallStatus',
  'ToolKind',
  'Content',
  'Diff',
  'DiffChange',
  'UpdateSessionNotification',
  'UserMessage',
  'AgentMessage',
  'AgentThought',
  'ToolCallContentChunk',
  'TerminalOutputChunk',
]);

/** The text of `checks.ts`: a plain function for each frequent definition. */
export function checksSource(edition: EditionSchema): string {
  const { definitions, prefix, base } = edition;
  const hoisted: Hoisted = { definitions, functions: new Map() };
  const all = { ...base?.definitions, ...definitions };
  const hasFunction = [...frequent].filter((name) => all[name] !== undefined && isCompound(all[name]));
  const borrowed = hasFunction.filter((name) => !Object.hasOwn(definitions, name));
  const functions = Object.entries(definitions)
    .filter(([name]) => hasFunction.includes(name))
    .map(([name, schema]) => checkFunction(name, schema, hoisted));
  const code = [...functions, ...hoisted.functions.values()].join('\n\n');
  const [checks, shapes] = [constantName(edition, 'checks'), constantName(edition, 'shapes')];
  return [
    ...(code.includes('isAbsolutePath(') ? [`import { isAbsolutePath } from '../validation/absolute-path.ts';`] : []),
    `import { isObject } from '../json-rpc/json-object.ts';`,
    `import { checksOf${code.includes('fits(') ? ', fits' : ''} } from '../validation/checks-of.ts';`,
    ...(base && borrowed.length > 0
      ? [`import { ${constantName(base, 'checks')} } from './${base.prefix}checks.ts';`]
      : []),
    `import { ${shapes} } from './${prefix}shapes.ts';`,
    ...(base ? borrowed.map((name) => `const is${name} = ${constantName(base, 'checks')}.${name};`) : []),
    code.replaceAll('CHECKS.', `${checks}.`).replaceAll('SHAPES', shapes),
    '/** Check a value against a definition: yes or no, without changing or copying it. */',
    `export const ${checks}: { readonly [Name in keyof typeof ${shapes}]: (value: unknown) => boolean } = /* @__PURE__ */ checksOf(${shapes}, {
      ${hasFunction.map((name) => `${name}: is${name},`).join('\n')}
    });`,
  ].join('\n\n');
}

/** The name of an export in the file of an edition: `checks`, `unstableChecks`, `v2UnstableChecks`. */
export function constantName({ prefix }: EditionSchema, name: string): string {
  return `${prefix}${name}`.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function checkFunction(name: string, schema: Schema, hoisted: Hoisted): string {
  const head = `function is${name}(value: unknown): boolean {`;
  if (schema.kind === 'tagged') return `${head}\n${taggedBody(schema, hoisted, name)}\n}`;
  if (schema.kind === 'choice' && !schema.open) return `${head}\n${choiceBody(schema)}\n}`;
  return `${head}\nreturn ${written(schema, 'value', hoisted)};\n}`;
}

/** A condition on a value: a call if the schema has a function, else written out. */
function condition(schema: Schema, value: string, hoisted: Hoisted): string {
  const name = nameOf(schema);
  if (!name || !isCompound(schema)) return written(schema, value, hoisted);
  return frequent.has(name) ? `is${name}(${value})` : `CHECKS.${name}(${value})`;
}

function isCompound(schema: Schema): boolean {
  return (
    schema.kind === 'object' ||
    schema.kind === 'tagged' ||
    schema.kind === 'anyOf' ||
    (schema.kind === 'choice' && !schema.open)
  );
}

const writers: ByKind<[value: string, hoisted: Hoisted], string> = {
  any: () => 'true',
  null: (_, value) => `${value} === null`,
  boolean: (_, value) => `typeof ${value} === 'boolean'`,
  double,
  integer,
  string: text,
  choice,
  nullable: ({ schema }, value, hoisted) => `(${value} === null || ${condition(schema, value, hoisted)})`,
  list: (schema, value, hoisted) =>
    schema.notEmpty
      ? `(${collection(schema, value, hoisted)} && (${value} as readonly unknown[]).length > 0)`
      : collection(schema, value, hoisted),
  map: collection,
  anyOf,
  object,
  tagged: (schema, value, hoisted) => `${hoistTagged(schema, hoisted)}(${value})`,
};

function written(schema: Schema, value: string, hoisted: Hoisted): string {
  return byKind(writers, schema, value, hoisted);
}

function integer({ minimum, maximum }: IntegerSchema, value: string): string {
  const whole = `Number.isInteger(${value})`;
  const bounds = [
    ...(minimum === undefined ? [] : [`(${value} as number) >= ${minimum}`]),
    ...(maximum === undefined ? [] : [`(${value} as number) <= ${maximum}`]),
  ];
  return bounds.length === 0 ? whole : `(${[whole, ...bounds].join(' && ')})`;
}

function double({ minimum, maximum }: DoubleSchema, value: string): string {
  if (minimum === undefined || maximum === undefined) return `Number.isFinite(${value})`;
  return `((${value} as number) >= ${minimum} && (${value} as number) <= ${maximum} && typeof ${value} === 'number')`;
}

function anyOf({ members, exactlyOne }: AnyOfSchema, value: string, hoisted: Hoisted): string {
  if (exactlyOne) throw new Error('a union of which exactly one member fits has no generated check');
  return `(${members.map((member) => condition(member, value, hoisted)).join(' || ')})`;
}

function text({ format, notEmpty }: StringSchema, value: string): string {
  if (format === 'checked-uri') throw new Error('a URI has no generated check');
  if (format === 'absolute-path') return `isAbsolutePath(${value})`;
  return notEmpty ? `(typeof ${value} === 'string' && ${value} !== '')` : `typeof ${value} === 'string'`;
}

function choice({ values, open, of }: ChoiceSchema, value: string): string {
  if (open) return of === 'string' ? `typeof ${value} === 'string'` : `Number.isInteger(${value})`;
  return `(${values.map(([known]) => `${value} === ${JSON.stringify(known)}`).join(' || ')})`;
}

function choiceBody({ values }: ChoiceSchema): string {
  return `switch (value) {\n${values.map(([known]) => `case ${JSON.stringify(known)}:`).join('\n')}\nreturn true;\ndefault:\nreturn false;\n}`;
}

function object({ fields, also }: ObjectSchema, value: string, hoisted: Hoisted): string {
  const conditions = Object.entries(fields).map(([name, field]) =>
    fieldCondition(`${value}['${name}']`, field, hoisted),
  );
  const all = [`isObject(${value})`, ...conditions, ...(also ? [condition(also, value, hoisted)] : [])];
  return all.filter((each) => each !== 'true').join(' && ');
}

function fieldCondition(value: string, { schema, rules }: Field, hoisted: Hoisted): string {
  if (rules.required && schema.kind === 'any') return `${value} !== undefined`;
  if (rules.required) return condition(schema, value, hoisted);
  if (schema.kind === 'any') return 'true';
  const inner = schema.kind === 'nullable' ? schema.schema : schema;
  const nothing = schema.kind === 'nullable' ? `${value} == null` : `${value} === undefined`;
  return `(${nothing} || ${condition(inner, value, hoisted)})`;
}

function collection(schema: Schema & { kind: 'list' | 'map' }, value: string, hoisted: Hoisted): string {
  const { kind, items } = schema;
  if (items.kind === 'any') return kind === 'list' ? `Array.isArray(${value})` : `isObject(${value})`;
  const name = `is${kind === 'list' ? 'List' : 'Map'}Of${label(items)}`;
  const item = condition(items, 'item', hoisted);
  hoisted.functions.set(name, kind === 'list' ? listFunction(name, item) : mapFunction(name, item));
  return `${name}(${value})`;
}

function label(items: Schema): string {
  if (isCompound(items)) {
    const name = nameOf(items);
    if (name) return name;
    throw new Error(`the items of a list or map need a name of their own: ${JSON.stringify(items).slice(0, 200)}`);
  }
  return items.kind === 'string' && items.format === 'absolute-path'
    ? 'AbsolutePath'
    : items.kind[0]?.toUpperCase() + items.kind.slice(1);
}

function listFunction(name: string, item: string): string {
  return `function ${name}(value: unknown): boolean {
    if (!Array.isArray(value)) return false;
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (!(${item})) return false;
    }
    return true;
  }`;
}

function mapFunction(name: string, item: string): string {
  return `function ${name}(value: unknown): boolean {
    if (!isObject(value)) return false;
    for (const key in value) {
      const item = value[key];
      if (!(${item})) return false;
    }
    return true;
  }`;
}

function hoistTagged(schema: TaggedSchema, hoisted: Hoisted): string {
  const owner = Object.entries(hoisted.definitions).find(
    ([, each]) => each.kind === 'object' && each.also === schema,
  )?.[0];
  if (!owner) throw new Error(`a tagged union needs a name, or to be the rest of a named object: ${schema.tag}`);
  const name = `isVariantOf${owner}`;
  hoisted.functions.set(name, `function ${name}(value: unknown): boolean {\n${taggedBody(schema, hoisted)}\n}`);
  return name;
}

/** The rare variants of a union with a name are left to the inspection, if there are several. */
function taggedBody({ tag, variants, untagged, other }: TaggedSchema, hoisted: Hoisted, name?: string): string {
  const tagValue = `value['${tag}']`;
  const all = groups(variants, hoisted);
  const written = all.filter(([condition]) => !condition.startsWith('CHECKS.'));
  const isInspected = name !== undefined && all.length - written.length > 1;
  const rest = other ? `typeof ${tagValue} === 'string' ${and(condition(other, 'value', hoisted))}` : 'false';
  return [
    'if (!isObject(value)) return false;',
    `switch (${tagValue}) {`,
    ...(isInspected ? written : all).map(
      ([condition, names]) => `${names.map((each) => `case '${each}':`).join('\n')}\nreturn ${condition};`,
    ),
    ...(untagged
      ? [`case undefined:\nreturn ${condition(untaggedSchema(untagged, variants), 'value', hoisted)};`]
      : []),
    `default:\nreturn ${isInspected ? `fits('${name}', value, SHAPES)` : rest};`,
    '}',
  ].join('\n');
}

/** Variants with the same payload share a case. */
function groups(
  variants: TaggedSchema['variants'],
  hoisted: Hoisted,
): readonly (readonly [string, readonly string[]])[] {
  const byCondition = new Map<string, string[]>();
  for (const [name, { schema }] of Object.entries(variants)) {
    const key =
      schema.kind === 'object' && Object.keys(schema.fields).length === 0
        ? 'true'
        : condition(schema, 'value', hoisted);
    byCondition.set(key, [...(byCondition.get(key) ?? []), name]);
  }
  return [...byCondition];
}

export function untaggedSchema(untagged: string | Schema, variants: TaggedSchema['variants']): Schema {
  if (typeof untagged !== 'string') return untagged;
  const variant = variants[untagged];
  if (!variant) throw new Error(`there is no variant ${untagged}`);
  return variant.schema;
}

function and(condition: string): string {
  return condition === 'true' ? '' : `&& ${condition}`;
}
