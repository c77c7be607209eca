import { type ObjectShape, type Shape, shapes, type TaggedShape } from '@turnwire/protocol';
import fc, { type Arbitrary } from 'fast-check';
import type { RawMessage } from '../wire/journal.ts';

/** Any JSON, small. */
const anything: Arbitrary<unknown> = fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown);

const folder = fc.oneof({ weight: 8, arbitrary: fc.constant('{folder}') }, fc.constant('/turnwire/no/such/place'));

/**
 * What strings mean by the names of their fields. Sessions and folders are real ones most of the time, so that something comes of it.
 * Programs and addresses never are: nothing that an agent runs or visits is left to chance.
 */
const meant: { readonly [field: string]: Arbitrary<unknown> } = {
  sessionId: fc.oneof({ weight: 8, arbitrary: fc.constant('{session}') }, fc.constant('turnwire-no-such-session')),
  cwd: folder,
  path: folder,
  command: fc.constant('/turnwire/no/such/program'),
  uri: fc.constantFrom('file:///turnwire/no/such/file.txt', 'turnwire:none', ''),
  url: fc.constant('http://127.0.0.1:9/'),
  methodId: fc.constant('turnwire-no-such-login'),
  text: fc.oneof(fc.constantFrom('say "hello"', 'hello', ''), fc.string()),
  protocolVersion: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.nat(65_535)),
  requestId: fc.oneof(fc.nat(40), fc.string(), fc.constant(null)),
};

const made = new Map<string, Arbitrary<unknown>>();

/** Random values that fit a definition of the schema. */
export function valueOf(name: keyof typeof shapes): Arbitrary<unknown> {
  const known = made.get(name) ?? fromShape(shapes[name]);
  made.set(name, known);
  return known;
}

function fromShape(shape: Shape): Arbitrary<unknown> {
  return typeof shape === 'string' ? named(shape) : composed(shape);
}

function named(shape: Extract<Shape, string>): Arbitrary<unknown> {
  switch (shape) {
    case 'any':
      return anything;
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'double':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'integer':
      return fc.integer();
    case 'string':
      return fc.string();
    case 'text':
      return fc.string({ minLength: 1 });
    case 'path':
      return folder;
    default:
      return valueOf(shape);
  }
}

function composed(shape: Exclude<Shape, string>): Arbitrary<unknown> {
  switch (shape[0]) {
    case 'integer':
      return fc.integer({ min: shape[1], max: Math.min(shape[2] ?? 2 ** 31 - 1, 2 ** 31 - 1) });
    case 'choice':
      return fc.constantFrom(...shape[1]);
    case 'nullable':
      return fc.option(fromShape(shape[1]), { freq: 3 });
    case 'list':
      return fc.array(fromShape(shape[1]), { maxLength: 3 });
    case 'map':
      return fc.dictionary(fc.string(), fromShape(shape[1]), { maxKeys: 3 });
    case 'anyOf':
      return fc.oneof(...shape[1].map(fromShape));
    case 'object':
      return record(shape);
    case 'tagged':
      return tagged(shape);
  }
}

function record([, fields, also]: ObjectShape): Arbitrary<unknown> {
  const members = Object.entries(fields);
  const own = fc.record(
    Object.fromEntries(
      members.map(([name, [, shape]]) => [name, (isPlain(shape) ? meant[name] : undefined) ?? fromShape(shape)]),
    ),
    {
      requiredKeys: members.filter(([, [rules]]) => rules.includes('!')).map(([name]) => name),
    },
  );
  if (also === undefined) return own;
  return fc.tuple(fromShape(also), own).map(([rest, mine]) => ({ ...(rest as RawMessage), ...mine }));
}

/** Whether values of it have no values in them: the same name may stand for a whole object elsewhere. */
function isPlain(shape: Shape): boolean {
  if (typeof shape !== 'string')
    return shape[0] === 'nullable' ? isPlain(shape[1]) : ['anyOf', 'integer'].includes(shape[0]);
  return shape in shapes ? isPlain(shapes[shape as keyof typeof shapes]) : true;
}

function tagged([, tag, variants, untagged]: TaggedShape): Arbitrary<unknown> {
  const members = Object.entries(variants).map(([name, shape]) =>
    fromShape(shape).map((value) => ({ ...(value as RawMessage), [tag]: name })),
  );
  return fc.oneof(...members, ...(untagged === undefined || untagged === null ? [] : [fromShape(untagged)]));
}
