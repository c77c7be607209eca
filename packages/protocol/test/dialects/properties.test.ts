import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SeveralValues, type Reading } from '../../src/dialects/index.ts';
import type { Definitions } from '../../src/generated/types.ts';
import { methods } from '../../src/methods.ts';
import { official } from './official.ts';
import { context, dialects, reading, type Place } from './received.ts';
import { rows } from './rows.ts';

const cases = Object.values(rows).flatMap((row) => ('profile' in row ? row.cases : (row.untouched ?? [])));

/** Every key and every word that any deviation is made of, so that arbitrary values run into the rules. */
const keys = new Set(['__proto__', 'constructor', 'toString', '_meta', 'turnwire/dialect']);
const words = new Set<unknown>([null, true, 0, '', '__proto__', 'constructor']);
for (const { value, becomes } of cases) collect([value, becomes]);

function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return void words.add(value ?? null);
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) keys.add(key);
    collect(inner);
  }
}

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...words),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...keys), tie('json')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
}));

/** A deviating message in which any one value is exchanged for anything. */
const nearMiss = fc.tuple(fc.constantFrom(...cases), fc.nat(), json).map(([{ value }, position, other]) => {
  let count = 0;
  const total = JSON.stringify(value).match(/[[{:,]/gu)?.length ?? 1;
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    count++ === position % total ? other : inner,
  ) as unknown;
});

function deepFrozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFrozen(inner);
  return Object.freeze(value);
}

function outcomes(found: Reading, value: unknown): readonly unknown[] {
  const read = found.rewrite(value, context({ request: value, remote: value }));
  return read instanceof SeveralValues ? read.values : [read];
}

const places: readonly Place[] = Object.keys(methods).flatMap((name) => [{ params: name }, { result: name }]);

const readings = dialects.flatMap((dialect) =>
  places.flatMap((place) => {
    const found = reading(dialect, place);
    return found === undefined ? [] : [{ title: `${dialect.name}, ${JSON.stringify(place)}`, place, found }];
  }),
);

describe.each(readings)('$title', ({ place, found }) => {
  test('a reading accepts any value, does not modify it, and does not change its own results again', () => {
    fc.assert(
      fc.property(fc.oneof(json, nearMiss), (value) => {
        deepFrozen(value);
        expect(typeof (found.suspects?.(value) ?? false)).toBe('boolean');
        const once = outcomes(found, value);
        expect(once.flatMap((each) => outcomes(found, each))).toEqual(once);
      }),
      { examples: [[{ sessionId: 's', update: { type: { toString: null } } }]] },
    );
  });

  test('a reading returns an official message as the very same value', () => {
    const row: { readonly params: keyof Definitions; readonly result?: keyof Definitions } =
      methods[
        'params' in place ? (place.params as 'session/new') : ((place as { result: string }).result as 'session/new')
      ];
    const definition = 'params' in place ? row.params : (row.result ?? row.params);
    fc.assert(
      fc.property(official(definition), (value) => {
        expect(found.rewrite(value, context())).toBe(value);
      }),
    );
  });
});
