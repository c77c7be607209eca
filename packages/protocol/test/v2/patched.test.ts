import { patched } from '@turnwire/protocol/v2';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns } from '../../../../tools/random-runs.ts';

interface Fields {
  readonly [name: string]: unknown;
}

const name = fc.constantFrom('title', 'status', 'content', '_meta', '__proto__');
const key = fc.constantFrom('a', 'b', '_meta', '__proto__');
const value = fc.constantFrom<unknown>(undefined, null, 0, '', 'x', [], [{ a: null }], { a: 1 });
const meta = fc.oneof(fc.constantFrom(undefined, null), fc.dictionary(key, value, { maxKeys: 3 }));
const patch = fc
  .uniqueArray(fc.tuple(name, value, meta), { selector: ([each]) => each, maxLength: 4 })
  .map((entries) => Object.fromEntries(entries.map(([each, some, of]) => [each, each === '_meta' ? of : some])));

/** The state after patches, by the rules as the protocol words them: field by field, from the last patch that says something. */
function model(patches: readonly Fields[]): Fields {
  const state: [string, unknown][] = [];
  for (const field of ['title', 'status', 'content', '__proto__']) {
    const last = patches.findLast((each) => Object.hasOwn(each, field) && each[field] !== undefined)?.[field];
    if (last !== undefined && last !== null) state.push([field, last]);
  }
  const said = patches.map((each) => each['_meta'] as Fields | null | undefined).filter((each) => each !== undefined);
  const since = said.slice(said.lastIndexOf(null) + 1) as readonly Fields[];
  const keys = new Set(since.flatMap((each) => Object.keys(each)));
  const entries = [...keys].flatMap((each) => {
    const last = since.findLast((one) => Object.hasOwn(one, each) && one[each] !== undefined)?.[each];
    return last === undefined || last === null ? [] : [[each, last] as const];
  });
  if (since.length > 0) state.push(['_meta', Object.fromEntries(entries)]);
  return Object.fromEntries(state);
}

const sorted = (fields: Fields): unknown =>
  Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([each, of]) => [each, each === '_meta' ? sorted(of as Fields) : of]);

test('patches applied in order give the same state as the model', () => {
  const property = fc.property(fc.array(patch, { maxLength: 6 }), (patches) => {
    const before = structuredClone(patches);
    const state = patches.reduce((current, each) => patched<Fields>(current, each), {});
    expect({ state: sorted(state), patches }).toEqual({ state: sorted(model(patches)), patches: before });
  });
  fc.assert(property, { numRuns: randomRuns({ usual: 500, whole: 10_000 }) });
});

test.each<[string, Fields, Fields, Fields]>([
  ['an absent field keeps its value', { title: 'a' }, {}, { title: 'a' }],
  ['undefined is the same as absent', { title: 'a' }, { title: undefined }, { title: 'a' }],
  ['null clears a field', { title: 'a' }, { title: null }, {}],
  ['null for a field that is absent changes nothing', { title: 'a' }, { status: null }, { title: 'a' }],
  ['a value replaces a field as a whole', { size: { cols: 1, rows: 2 } }, { size: { cols: 3 } }, { size: { cols: 3 } }],
  ['an empty list replaces a list', { content: [1] }, { content: [] }, { content: [] }],
  ['metadata is merged by key', { _meta: { a: 1, b: 2 } }, { _meta: { b: 3, c: 4 } }, { _meta: { a: 1, b: 3, c: 4 } }],
  [
    'a key of the metadata that is null is removed',
    { _meta: { a: 1, b: 2 } },
    { _meta: { a: null } },
    { _meta: { b: 2 } },
  ],
  [
    'metadata is not merged below its keys',
    { _meta: { a: { b: 1 } } },
    { _meta: { a: { c: 2 } } },
    { _meta: { a: { c: 2 } } },
  ],
  ['metadata that is null is cleared', { _meta: { a: 1 } }, { _meta: null }, {}],
  ['the first metadata drops keys that are null', {}, { _meta: { a: null, b: 1 } }, { _meta: { b: 1 } }],
])('%s', (_, current, change, after) => {
  expect(patched<Fields>(current, change)).toEqual(after);
});
