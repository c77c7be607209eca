import * as fc from 'fast-check';
import { shapes } from '../../src/generated/shapes.ts';
import type { FieldShapes, Shape, TaggedShape } from '../../src/definition-shapes.ts';

type Values = fc.Arbitrary<unknown>;

const simple: Readonly<Record<string, Values>> = {
  any: fc.jsonValue({ maxDepth: 1 }),
  null: fc.constant(null),
  boolean: fc.boolean(),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  integer: fc.nat(),
  string: fc.oneof(fc.string(), fc.constantFrom('text', 'cancelled', 'message', 'tool_call', '__proto__')),
  text: fc.string({ minLength: 1 }),
  path: fc.string().map((rest) => `/${rest}`),
};

/** Values of a definition that hold nothing but official keys. */
export function official(shape: Shape): Values {
  if (typeof shape === 'string') return simple[shape] ?? official(shapes[shape as keyof typeof shapes]);
  if (!isList(shape)) return objects(shape);
  switch (shape[0]) {
    case 'integer':
      return fc.integer({ min: shape[1], max: Math.min(shape[2] ?? 1000, 1000) });
    case 'choice':
      return fc.constantFrom(...shape[1]);
    case 'list':
      return fc.array(official(shape[1]), { maxLength: 3 });
    case 'map':
      return fc.dictionary(fc.string(), official(shape[1]), { maxKeys: 3 });
    case 'when':
      return official(shape[2]);
    case 'anyOf':
      return fc.oneof(...shape[1].map(official));
    case 'both':
      return fc.tuple(objects(shape[1]), official(shape[2])).map((parts) => Object.assign({}, ...parts) as unknown);
    case 'tagged':
      return variants(shape);
  }
}

function isList(shape: Shape): shape is Exclude<Shape, string | FieldShapes> {
  return Array.isArray(shape);
}

function objects(fields: FieldShapes): Values {
  const entries = Object.entries(fields);
  const requiredKeys = entries.filter(([, [rules]]) => rules.includes('!')).map(([key]) => key);
  const model = entries.map(([key, [rules, shape]]) => {
    return [key, rules.includes('?') ? fc.option(official(shape)) : official(shape)] as const;
  });
  return fc.record(Object.fromEntries(model), { requiredKeys });
}

function variants([, tag, known, untagged]: TaggedShape): Values {
  // A tag that means the same as none is understood, but it is not the official form.
  const tags = Object.keys(known).filter((name) => typeof untagged !== 'string' || known[name] !== untagged);
  const tagged = tags.map((name) =>
    official(known[name] ?? 'any').map((value) => ({ [tag]: name, ...(value as object) })),
  );
  return fc.oneof(...tagged, ...(typeof untagged === 'string' ? [official(untagged)] : []));
}
