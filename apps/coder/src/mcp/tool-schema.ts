import { schemaForModel } from '../tools/schema-for-model.ts';
import type { Tool } from '../tools/tool.ts';

type Schema = Record<string, unknown>;

const deepest = 24;
const longest = 32 * 1024;
const mostNodes = 5_000;

// The input names that model providers accept; a tool with another one would make them refuse the whole request.
const acceptable = /^[\w.-]{1,64}$/;

/**
 * The schema of a server's tool as every model provider accepts it: an object at the top, without references and without alternatives there. It
 * helps the model and checks nothing; the server validates the input. A schema that is too large is reduced to its field names, or to nothing.
 */
export function toolSchema(schema: unknown): Tool['inputSchema'] {
  const reader = new SchemaReader(schema);
  const full = schemaForModel(asObject(isSchema(schema) ? reader.read(schema, 0) : {}));
  const candidates = [full, namesOnly(full), { type: 'object', properties: {} }];
  return (reader.isTooLarge ? candidates.slice(1) : candidates).find(fits) as Tool['inputSchema'];
}

class SchemaReader {
  readonly #root: unknown;
  readonly #open = new Set<unknown>();
  #nodes = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  get isTooLarge(): boolean {
    return this.#nodes > mostNodes;
  }

  /** A copy with references resolved. A schema that contains itself, or is too deep, ends in one that allows everything. */
  read(schema: Schema, depth: number): Schema {
    if (++this.#nodes > mostNodes || depth > deepest || this.#open.has(schema)) return {};
    this.#open.add(schema);
    const { $ref, ...own } = schema;
    const target = typeof $ref === 'string' ? this.#resolve($ref) : undefined;
    const copy = Object.fromEntries(
      Object.entries({ ...(target && this.read(target, depth + 1)), ...this.#parts(own, depth) }),
    );
    this.#open.delete(schema);
    return copy;
  }

  #parts(schema: Schema, depth: number): Schema {
    const parts: Schema = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key.startsWith('$') || key === 'definitions') continue;
      parts[key] = this.#part(key, value, depth);
    }
    return parts;
  }

  #part(key: string, value: unknown, depth: number): unknown {
    if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples' || key === 'required')
      return value;
    if (key === 'properties' || key === 'patternProperties') return this.#fields(value, depth);
    if (Array.isArray(value)) return value.slice(0, mostNodes).map((each: unknown) => this.#any(each, depth));
    return this.#any(value, depth);
  }

  #fields(value: unknown, depth: number): Schema {
    if (!isSchema(value)) return {};
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isSchema(each) ? this.read(each, depth + 1) : {}]),
    );
  }

  #any(value: unknown, depth: number): unknown {
    return isSchema(value) ? this.read(value, depth + 1) : value;
  }

  /** The target of a reference within the schema. */
  #resolve(reference: string): Schema | undefined {
    if (!reference.startsWith('#')) return undefined;
    let found: unknown = this.#root;
    for (const step of reference.slice(1).split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      found = isSchema(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    return isSchema(found) ? found : undefined;
  }
}

/** Converts any schema into an object schema. Alternatives are merged: it has the fields of all. */
function asObject({ allOf, anyOf, oneOf, ...schema }: Schema): Schema {
  const shapes = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isSchema) : []));
  const properties = Object.assign({}, ...shapes.map(fieldsOf), fieldsOf(schema)) as Schema;
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => acceptable.test(name)));
  const required = namesIn(schema['required']).filter((name) => Object.hasOwn(kept, name));
  const { type: _type, properties: _properties, required: _required, ...rest } = schema;
  return { type: 'object', properties: kept, ...(required.length > 0 && { required }), ...rest };
}

function fieldsOf(schema: Schema): Schema {
  return isSchema(schema['properties']) ? schema['properties'] : {};
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
}

function namesOnly({ properties, required }: Schema): Schema {
  const fields = Object.entries(isSchema(properties) ? properties : {}).map(([name, field]) => {
    const { type } = field as { readonly type?: unknown };
    return [name, typeof type === 'string' ? { type } : {}] as const;
  });
  return { type: 'object', properties: Object.fromEntries(fields), ...(required !== undefined && { required }) };
}

function fits(schema: Schema): boolean {
  return JSON.stringify(schema).length <= longest;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
