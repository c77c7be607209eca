import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyIndex } from '../../src/transcript/key-index.ts';
import { PersistentMap } from '../../src/transcript/persistent-map.ts';
import { PersistentVector } from '../../src/transcript/persistent-vector.ts';

test('versions of a vector do not change each other', () => {
  const operations = fc.array(fc.record({ isPush: fc.boolean(), at: fc.nat(5000), item: fc.nat() }), {
    maxLength: 3000,
    size: 'max',
  });
  fc.assert(
    fc.property(operations, (list) => {
      let vector: PersistentVector<number> = PersistentVector.empty;
      const array: number[] = [];
      const versions: [PersistentVector<number>, readonly number[]][] = [];
      for (const [step, { isPush, at, item }] of list.entries()) {
        if (step % 500 === 0) versions.push([vector, [...array]]);
        vector = isPush ? vector.push(item) : vector.set(at, item);
        if (isPush) array.push(item);
        else if (at < array.length) array[at] = item;
      }
      versions.push([vector, array]);
      expect(versions.map(([version]) => [...version])).toEqual(versions.map(([, items]) => items));
    }),
    { numRuns: 30 },
  );
});

test('a vector is read by index and by range like an array', () => {
  const array = Array.from({ length: 40_000 }, (_, index) => index);
  const vector = array.reduce((list, item) => list.push(item), PersistentVector.empty as PersistentVector<number>);
  expect([-1, 0, 31, 32, 1023, 1024, 32_768, 39_999, 40_000, 0.5].map((index) => vector.at(index))).toEqual([
    undefined,
    0,
    31,
    32,
    1023,
    1024,
    32_768,
    39_999,
    undefined,
    undefined,
  ]);
  const ranges = [
    [0, 0],
    [0, 5],
    [30, 34],
    [1000, 3000],
    [39_990, 50_000],
    [50_000, 60_000],
    [5, 2],
  ] as const;
  expect(ranges.map(([start, end]) => vector.slice(start, end))).toEqual(
    ranges.map(([start, end]) => array.slice(start, end)),
  );
  expect(vector.slice(39_998)).toEqual([39_998, 39_999]);
});

test('an index knows the last position of each key, in every version', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(50).map(String), fc.nat()), { maxLength: 300, size: 'max' }), (list) => {
      const known = new Map<string, number>();
      const versions: [KeyIndex, Map<string, number>][] = [];
      let index = KeyIndex.empty;
      for (const [key, value] of list) {
        index = index.with(key, value);
        versions.push([index, new Map(known.set(key, value))]);
      }
      const keys = Array.from({ length: 51 }, (_, key) => String(key));
      expect(versions.map(([version]) => keys.map((key) => version.get(key)))).toEqual(
        versions.map(([, map]) => keys.map((key) => map.get(key))),
      );
    }),
    { numRuns: 30 },
  );
});

test('a map keeps its order and its versions', () => {
  const none: PersistentMap<number> = PersistentMap.empty;
  const one = none.with('a', 1).with('b', 2);
  const two = one.with('a', 3).with('c', 4);
  expect([[...one], [...two], two.size, two.get('a'), two.has('x'), two.get('x')]).toEqual([
    [
      ['a', 1],
      ['b', 2],
    ],
    [
      ['a', 3],
      ['b', 2],
      ['c', 4],
    ],
    3,
    3,
    false,
    undefined,
  ]);
  const seen: unknown[] = [];
  two.forEach((value, key) => seen.push([key, value]));
  expect([seen, [...two.keys()], [...two.values()]]).toEqual([[...two], ['a', 'b', 'c'], [3, 2, 4]]);
});

test('a vector is a list in JSON', () => {
  const vector = PersistentVector.empty.push({ a: 1 } as never).push({ a: 2 } as never);
  expect(JSON.stringify({ entries: vector })).toBe('{"entries":[{"a":1},{"a":2}]}');
});
