import { asMessage } from '../wire/messages.ts';
import type { Chance } from './chance.ts';

/** A change to a message: the index of one of its values, counted from the outside in, and its replacement. */
export interface Mutation {
  readonly at: number;
  /** The new value. Absent: the value is removed. */
  readonly value?: unknown;
}

type Place = readonly (string | number)[];

const odd: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER + 1,
  1e308,
  '',
  '\u0000',
  '\ud800',
  'a\u2028b\nc',
  [],
  {},
  [[]],
  [null],
  JSON.parse('{"__proto__":{"polluted":true},"constructor":null}'),
  JSON.parse(`${'['.repeat(40)}0${']'.repeat(40)}`),
  'x'.repeat(100_000),
];

/** Changes to a message. */
export function mutations(chance: Chance): readonly Mutation[] {
  const at = (): number => chance.below(41);
  return chance.list(2, () => (chance.oneIn(2) ? { at: at() } : { at: at(), value: chance.pick(odd) }), 1);
}

export function mutated(value: unknown, changes: readonly Mutation[]): unknown {
  let changed = value;
  for (const change of changes) {
    const places = placesIn(changed);
    const place = places[change.at % Math.max(places.length, 1)];
    if (place !== undefined) changed = replaced(changed, place, change);
  }
  return changed;
}

function placesIn(value: unknown): readonly Place[] {
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(asMessage(value) ?? {});
  const places = inner.map(([key]): Place => [key]);
  return [...places, ...inner.flatMap(([key, each]) => placesIn(each).map((place): Place => [key, ...place]))];
}

function replaced(value: unknown, [key, ...inner]: Place, change: Mutation): unknown {
  if (key === undefined) return change.value;
  const isGone = inner.length === 0 && !('value' in change);
  if (Array.isArray(value))
    return value.flatMap((each: unknown, nth) =>
      nth === key ? (isGone ? [] : [replaced(each, inner, change)]) : [each],
    );
  const { [key]: old, ...rest } = asMessage(value) ?? {};
  return isGone ? rest : { ...rest, [key]: replaced(old, inner, change) };
}
