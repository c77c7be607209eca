import { asMessage } from '../wire/messages.ts';
import type { Chance } from './chance.ts';

/** A change to a message: the index of one of its values, counted breadth-first, and the replacement. */
export interface Mutation {
  readonly at: number;
  /** The new value. Absent: the value is removed. */
  readonly value?: unknown;
}

type Path = readonly (string | number)[];

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

/** Draws one or two changes to a message. */
export function mutations(chance: Chance): readonly Mutation[] {
  const at = (): number => chance.below(41);
  return chance.list(2, () => (chance.oneIn(2) ? { at: at() } : { at: at(), value: chance.pick(odd) }), 1);
}

export function mutated(value: unknown, changes: readonly Mutation[]): unknown {
  let changed = value;
  for (const change of changes) {
    const paths = pathsIn(changed);
    const path = paths[change.at % Math.max(paths.length, 1)];
    if (path !== undefined) changed = replaced(changed, path, change);
  }
  return changed;
}

function pathsIn(value: unknown): readonly Path[] {
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(asMessage(value) ?? {});
  const paths = inner.map(([key]): Path => [key]);
  return [...paths, ...inner.flatMap(([key, each]) => pathsIn(each).map((path): Path => [key, ...path]))];
}

function replaced(value: unknown, [key, ...inner]: Path, change: Mutation): unknown {
  if (key === undefined) return change.value;
  const isGone = inner.length === 0 && !('value' in change);
  if (Array.isArray(value))
    return value.flatMap((each: unknown, nth) =>
      nth === key ? (isGone ? [] : [replaced(each, inner, change)]) : [each],
    );
  const { [key]: old, ...rest } = asMessage(value) ?? {};
  return isGone ? rest : { ...rest, [key]: replaced(old, inner, change) };
}
