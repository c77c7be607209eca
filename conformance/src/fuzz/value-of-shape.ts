import { type FieldShapes, type Shape, shapes, type TaggedShape } from '@turnwire/protocol';
import type { RawMessage } from '../wire/messages.ts';
import type { Chance, Maker } from './chance.ts';

const folder: Maker<unknown> = mostly('{folder}', (chance) => chance.pick(['/turnwire/no/such/place']));

/**
 * Makers for strings by field name. Sessions and folders are mostly real, so that calls have effects. Programs and addresses are never
 * real: an agent must not run or visit anything random.
 */
const byField: { readonly [field: string]: Maker<unknown> } = {
  sessionId: mostly('{session}', () => 'turnwire-no-such-session'),
  cwd: folder,
  path: folder,
  command: () => '/turnwire/no/such/program',
  uri: (chance) => chance.pick(['file:///turnwire/no/such/file.txt', 'turnwire:none', '']),
  url: () => 'http://127.0.0.1:9/',
  methodId: () => 'turnwire-no-such-login',
  text: (chance) => (chance.oneIn(2) ? chance.text() : chance.pick(['say "hello"', 'hello', ''])),
  protocolVersion: mostly(1, (chance) => chance.below(65_536)),
  requestId: (chance) =>
    chance.weighted<unknown>([
      [1, () => chance.below(41)],
      [1, () => chance.text()],
      [1, () => null],
    ]),
};

function mostly(usual: unknown, other: Maker<unknown>): Maker<unknown> {
  return (chance) => (chance.oneIn(9) ? other(chance) : usual);
}

/** A random value that matches a definition of the schema. */
export function valueOf(name: keyof typeof shapes, chance: Chance): unknown {
  return fromShape(shapes[name], chance);
}

function fromShape(shape: Shape, chance: Chance): unknown {
  if (typeof shape !== 'string') return valueOfCompound(shape, chance);
  const make = plain[shape];
  return make === undefined ? valueOf(shape as keyof typeof shapes, chance) : make(chance);
}

/** Makers for shapes without parts. */
const plain: Readonly<Record<string, Maker<unknown>>> = {
  any: (chance) => chance.json(2),
  null: () => null,
  boolean: (chance) => chance.oneIn(2),
  double: (chance) => chance.pick([chance.integer(), 0.5, -1.5, 1e308, 5e-324]),
  integer: (chance) => chance.integer(),
  string: (chance) => chance.text(),
  text: (chance) => chance.text(1),
  path: folder,
};

function valueOfCompound(shape: Exclude<Shape, string>, chance: Chance): unknown {
  if (!isList(shape)) return record(shape, chance);
  switch (shape[0]) {
    case 'integer':
      return chance.integer(shape[1], Math.min(shape[2] ?? 2 ** 31 - 1, 2 ** 31 - 1));
    case 'choice':
      return chance.pick(nonEmpty(shape[1]));
    case 'list':
      return chance.list(3, () => fromShape(shape[1], chance));
    case 'map':
      return Object.fromEntries(chance.list(3, () => [chance.text(), fromShape(shape[1], chance)] as const));
    case 'anyOf':
      return fromShape(chance.pick(nonEmpty(shape[1])), chance);
    case 'when':
      return fromShape(shape[2], chance);
    case 'both':
      return { ...(fromShape(shape[2], chance) as RawMessage), ...record(shape[1], chance) };
    case 'tagged':
      return tagged(shape, chance);
  }
}

function nonEmpty<Value>(values: readonly Value[]): readonly [Value, ...Value[]] {
  const [first, ...others] = values;
  if (first === undefined) throw new RangeError('a choice in the schema has no values');
  return [first, ...others];
}

function isList(shape: Shape): shape is Exclude<Shape, string | FieldShapes> {
  return Array.isArray(shape);
}

function record(fields: FieldShapes, chance: Chance): RawMessage {
  const own = Object.entries(fields).flatMap(([name, [rules, shape]]) => {
    if (!rules.includes('!') && chance.oneIn(2)) return [];
    const make = isPlain(shape) ? byField[name] : undefined;
    if (rules.includes('?') && chance.oneIn(3)) return [[name, null] as const];
    return [[name, make === undefined ? fromShape(shape, chance) : make(chance)] as const];
  });
  return Object.fromEntries(own);
}

/** Whether values of this shape are not nested: elsewhere the same field name may hold an object. */
function isPlain(shape: Shape): boolean {
  if (typeof shape !== 'string') return isList(shape) && ['anyOf', 'integer'].includes(shape[0]);
  return shape in shapes ? isPlain(shapes[shape as keyof typeof shapes]) : true;
}

function tagged([, tag, variants, untagged]: TaggedShape, chance: Chance): unknown {
  const ways = Object.entries(variants).map(([name, shape]) => (): unknown => ({
    ...(fromShape(shape, chance) as RawMessage),
    [tag]: name,
  }));
  if (untagged !== undefined && untagged !== null) ways.push(() => fromShape(untagged, chance));
  return chance.pick(nonEmpty(ways))();
}
