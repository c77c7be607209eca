import { isObject } from '../json-rpc/json-object.ts';
import type * as shapes from './shape.ts';
import type { IntegerShape, Shapes } from './shape.ts';
import { wordCalled } from './words.ts';

type Shape = shapes.Shape<string>;
type ObjectShape = shapes.ObjectShape<string>;
type TaggedShape = shapes.TaggedShape<string>;

/** Whether a value is as it should be. */
export type Check = (value: unknown) => boolean;

/**
 * A check for each definition: the function that was generated for it, if there is one, else one that is put together of its shape when
 * it is needed first.
 */
export function checksOf<Name extends string>(
  shapes: { readonly [name in Name]: Shape },
  generated: { readonly [name in Name]?: Check },
): { readonly [name in Name]: Check } {
  const composer = new Composer(shapes);
  const names = Object.keys(shapes) as Name[];
  const checks = names.map((name) => [name, generated[name] ?? composer.named(name)]);
  return Object.fromEntries(checks) as Record<Name, Check>;
}

/** Puts checks together. They accept exactly what an `Inspector` finds no problem with. */
class Composer {
  readonly #shapes: Shapes;
  readonly #named = new Map<string, Check>();

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  named(name: string): Check {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    let composed: Check | undefined;
    const check: Check = (value) => (composed ??= this.#check(this.#shapes[name] as Shape))(value);
    this.#named.set(name, check);
    return check;
  }

  #check(shape: Shape): Check {
    if (typeof shape === 'string') return wordCalled(shape)?.fits ?? this.named(shape);
    switch (shape[0]) {
      case 'integer':
        return within(shape);
      case 'choice':
        return (value) => shape[1].some((known) => known === value);
      case 'nullable':
        return either((value) => value === null, this.#check(shape[1]));
      case 'list':
        return listOf(this.#check(shape[1]));
      case 'map':
        return this.#map(shape[1]);
      case 'anyOf':
        return shape[1].map((member) => this.#check(member)).reduce(either);
      case 'object':
        return this.#object(shape);
      case 'tagged':
        return this.#tagged(shape);
    }
  }

  #map(items: Shape): Check {
    return items === 'any' ? isObject : mapOf(this.#check(items));
  }

  #object([, fields, also]: ObjectShape): Check {
    const checks = Object.entries(fields).map(([name, [rules, shape]]) => {
      return { name, isRequired: rules.includes('!'), check: this.#check(shape) };
    });
    const rest = also === undefined ? isObject : this.#check(also);
    return (value) => {
      if (!isObject(value)) return false;
      for (const { name, isRequired, check } of checks) {
        const field = value[name];
        if ((field !== undefined || isRequired) && !check(field)) return false;
      }
      return rest(value);
    };
  }

  #tagged([, tag, variants, untagged, other]: TaggedShape): Check {
    const checks = new Map(Object.entries(variants).map(([name, shape]) => [name, this.#check(shape)]));
    const withoutTag = untagged ? this.#check(untagged) : refuse;
    const unknown = other === undefined ? refuse : this.#check(other);
    return (value) => {
      if (!isObject(value)) return false;
      const name = value[tag];
      if (name === undefined) return withoutTag(value);
      return typeof name === 'string' && (checks.get(name) ?? unknown)(value);
    };
  }
}

const refuse: Check = () => false;

function either(one: Check, other: Check): Check {
  return (value) => one(value) || other(value);
}

function within([, minimum, maximum = Infinity]: IntegerShape): Check {
  return (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}

function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!check(item)) return false;
    return true;
  };
}

function mapOf(check: Check): Check {
  return (value) => {
    if (!isObject(value)) return false;
    for (const key in value) if (!check(value[key])) return false;
    return true;
  };
}
