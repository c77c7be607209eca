import type {
  Edition,
  FieldShape as Field,
  FieldShapes as Fields,
  Shape as AnyShape,
  TaggedShape as Tagged,
} from '@turnwire/protocol';
import { asMessage, type RawMessage } from '../wire/messages.ts';
import type { Definition } from './definition-of.ts';

type Shape = AnyShape<string>;
type FieldShape = Field<string>;
type FieldShapes = Fields<string>;
type TaggedShape = Tagged<string>;

/** A value with a schema type, and its location. */
export interface Part {
  readonly type: Definition;
  readonly value: unknown;
  /** For example `update.content[0]`; empty for the whole value. */
  readonly path: string;
}

/** A key that the schema does not have at this location, and the keys that it has there. */
interface StrayKey {
  /** The schema type of the object, or its owner and field, such as `AgentCapabilities.auth`, if the schema gives it no name. */
  readonly type: string;
  readonly key: string;
  readonly known: readonly string[];
}

/** An unknown tag of a tagged union, and the known ones. */
export interface StrayTag {
  readonly type: Definition | undefined;
  readonly tag: string;
  readonly path: string;
  readonly known: readonly string[];
}

export interface Dissection {
  readonly parts: readonly Part[];
  readonly strayKeys: readonly StrayKey[];
  readonly strayTags: readonly StrayTag[];
}

export const emptyDissection: Dissection = { parts: [], strayKeys: [], strayTags: [] };

/** Finds the typed parts of a value, as far as it has the expected form. Errors are not reported here. */
export function dissect({ checks, shapes }: Edition, type: Definition, value: unknown): Dissection {
  const dissector = new Dissector(checks, shapes);
  dissector.walk({ shape: type, value, path: '', type });
  return dissector;
}

interface Place {
  readonly shape: Shape;
  readonly value: unknown;
  readonly path: string;
  readonly type: string;
}

interface Members {
  readonly fields: Map<string, Shape>;
  readonly names: Definition[];
  isOpen: boolean;
}

class Dissector implements Dissection {
  readonly parts: Part[] = [];
  readonly strayKeys: StrayKey[] = [];
  readonly strayTags: StrayTag[] = [];
  readonly #checks: Edition['checks'];
  readonly #shapes: Edition['shapes'];

  constructor(checks: Edition['checks'], shapes: Edition['shapes']) {
    this.#checks = checks;
    this.#shapes = shapes;
  }

  walk(place: Place): void {
    const { shape, value } = place;
    if (value === undefined || value === null) return;
    if (typeof shape === 'string') return this.#named(shape, place);
    return isList(shape) ? this.#compound(shape, place) : this.#object(place);
  }

  #compound(shape: Extract<Shape, readonly unknown[]>, place: Place): void {
    switch (shape[0]) {
      case 'list':
        return this.#list(shape[1], place);
      case 'map':
        return this.#map(shape[1], place);
      case 'when':
        return this.walk({ ...place, shape: shape[2] });
      case 'both':
      case 'tagged':
        return this.#object(place);
      case 'anyOf':
        return this.#anyOf(shape[1], place);
      case 'choice':
      case 'integer':
        return undefined;
    }
  }

  #list(items: Shape, place: Place): void {
    if (!Array.isArray(place.value)) return;
    for (const [index, value] of place.value.entries())
      this.walk({ ...place, shape: items, value, path: `${place.path}[${index}]` });
  }

  #anyOf(members: readonly Shape[], place: Place): void {
    if (asMessage(place.value) !== undefined) return this.#object(place);
    const member = members.find((each) => this.#fits(each, place.value));
    if (member !== undefined) this.walk({ ...place, shape: member });
  }

  #named(name: string, place: Place): void {
    const shape = Object.hasOwn(this.#shapes, name) ? this.#shapes[name] : undefined;
    if (shape === undefined) return;
    const type = name as Definition;
    const isLeaf = typeof shape === 'string' || (isList(shape) && ['choice', 'integer'].includes(shape[0]));
    if (isLeaf || asMessage(place.value) === undefined) this.parts.push({ type, value: place.value, path: place.path });
    if (isLeaf) return;
    if (asMessage(place.value) === undefined) return this.walk({ ...place, shape, type });
    this.#object({ ...place, type });
  }

  #map(items: Shape, place: Place): void {
    const members = asMessage(place.value) ?? {};
    for (const [key, value] of Object.entries(members))
      this.walk({ ...place, shape: items, value, path: joined(place.path, key) });
  }

  #object(place: Place): void {
    const { value, path, type } = place;
    const owner = asMessage(value);
    if (owner === undefined) return;
    const members: Members = { fields: new Map(), names: [], isOpen: false };
    this.#gather(place.shape, { owner, path, members });
    for (const name of members.names) this.parts.push({ type: name, value, path });
    const inner = members.names.at(-1) ?? `${type}.${path.replace(/^.*\./, '').replace(/\[\d+\]$/, '')}`;
    for (const [key, each] of Object.entries(owner)) {
      const shape = members.fields.get(key);
      if (shape !== undefined) this.walk({ shape, value: each, path: joined(path, key), type: inner });
      else if (!members.isOpen) this.strayKeys.push({ type: inner, key, known: [...members.fields.keys()] });
    }
  }

  /** Collects the fields that an object may have, from all definitions that it consists of. */
  #gather(shape: Shape, into: { owner: RawMessage; path: string; members: Members }): void {
    const { owner, path, members } = into;
    if (typeof shape === 'string') {
      const named = Object.hasOwn(this.#shapes, shape) ? this.#shapes[shape] : undefined;
      if (named === undefined) return void (members.isOpen = true);
      members.names.push(shape as Definition);
      return this.#gather(named, into);
    }
    if (!isList(shape)) {
      for (const [key, field] of Object.entries(shape)) members.fields.set(key, field[1]);
      return;
    }
    if (shape[0] === 'when') return this.#gather(shape[2], into);
    if (shape[0] === 'both') {
      this.#gather(shape[1], into);
      return this.#gather(shape[2], into);
    }
    if (shape[0] === 'anyOf') {
      const member = shape[1].find((each) => this.#fits(each, owner));
      return member === undefined ? void (members.isOpen = true) : this.#gather(member, into);
    }
    if (shape[0] === 'tagged') this.#variant(shape, { owner, path, members });
  }

  #variant(shape: TaggedShape, into: { owner: RawMessage; path: string; members: Members }): void {
    const { owner, path, members } = into;
    const [, name, variants, untagged] = shape;
    const tag = owner[name];
    members.fields.set(name, 'string');
    const variant = typeof tag === 'string' && Object.hasOwn(variants, tag) ? variants[tag] : undefined;
    if (variant !== undefined) return this.#gather(variant, into);
    if (typeof tag === 'string')
      this.strayTags.push({ type: members.names.at(-1), tag, path: joined(path, name), known: Object.keys(variants) });
    if (untagged && tag === undefined) return this.#gather(untagged, into);
    members.isOpen = true;
  }

  /** Whether a value could be an instance of this member of a union. */
  #fits(shape: Shape, value: unknown): boolean {
    if (typeof shape === 'string') return Object.hasOwn(this.#checks, shape) && this.#checks[shape]?.(value) === true;
    if (isList(shape))
      return shape[0] === 'list' && Array.isArray(value) && value.every((item) => this.#fits(shape[1], item));
    const owner = asMessage(value);
    return owner !== undefined && Object.entries(shape).every(([key, field]) => isThere(owner[key], field));
  }
}

/** A record of fields is the only shape that is neither a string nor an array. */
function isList(shape: Shape): shape is Exclude<Shape, string | FieldShapes> {
  return Array.isArray(shape);
}

function isThere(value: unknown, [rules, shape]: FieldShape): boolean {
  if (value === undefined) return !rules.includes('!');
  if (value === null && rules.includes('?')) return true;
  return typeof shape === 'string' || shape[0] !== 'choice' || shape[1].some((known) => known === value);
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
