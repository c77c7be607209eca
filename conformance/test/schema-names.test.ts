import { type FieldShapes, type Shape, v1 } from '@turnwire/protocol';
import { v1Unstable } from '@turnwire/protocol/unstable';
import { v2 } from '@turnwire/protocol/v2';
import { expect, it, test } from 'vitest';
import definitionsOfVersion1 from '../src/audit/rules/definitions.json' with { type: 'json' };
import definitionsOfVersion2 from '../src/audit/rules/definitions-v2.json' with { type: 'json' };
import { isOtherKey } from '../src/audit/rules/other-editions.ts';

type AnyShape = Shape<string>;

/** The keys of each object in a schema; an object without a name is known by its owner and its field. */
function keysIn(shapes: Readonly<Record<string, AnyShape>>): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const collect = (shape: AnyShape, owner: string): void => {
    if (typeof shape === 'string') {
      // A draft may give a name to an object that has none in version 1.
      const named = Object.hasOwn(v1.shapes, shape) ? undefined : shapes[shape];
      if (named !== undefined) collect(named, owner);
      return;
    }
    if (Array.isArray(shape)) {
      for (const each of innerShapes(shape)) collect(each, owner);
      return;
    }
    const known = found.get(owner) ?? new Set();
    found.set(owner, known);
    for (const [key, [, field]] of Object.entries(shape as FieldShapes<string>)) {
      known.add(key);
      collect(field, `${owner}.${key}`);
    }
  };
  for (const [name, shape] of Object.entries(shapes)) collect(shape, name);
  return found;
}

function innerShapes(shape: readonly unknown[]): readonly AnyShape[] {
  if (shape[0] === 'list' || shape[0] === 'map') return [shape[1] as AnyShape];
  return shape[0] === 'both' ? (shape.slice(1) as AnyShape[]) : [];
}

it('a key that a draft has in an object of version 1 is not blamed as a custom key', () => {
  const stable = keysIn(v1.shapes);
  const blamed = [...keysIn(v1Unstable.shapes)].flatMap(([owner, keys]) =>
    [...keys]
      .filter((key) => stable.get(owner)?.has(key) === false && !isOtherKey(owner, key))
      .map((key) => `${owner}.${key}`),
  );
  expect(blamed).toEqual([]);
});

test.each([
  [1, definitionsOfVersion1, v1.shapes],
  [2, definitionsOfVersion2, v2.shapes],
])('every type and field that has a requirement of version %i exists in its schema', (_, table, shapes) => {
  const keys = keysIn(shapes);
  const names = Object.values(table).flatMap((ofSide) => Object.keys(ofSide));
  const exists = (name: string): boolean => {
    const [type = '', field] = name.split('.');
    return Object.hasOwn(shapes, type) && (field === undefined || keys.get(type)?.has(field) === true);
  };
  expect(names.filter((name) => !exists(name))).toEqual([]);
});
