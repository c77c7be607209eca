import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns } from '../../../../tools/random-runs.ts';
import { v1Nodes, v1UnstableNodes } from '../../schema/differences.ts';
import { v2Nodes, v2UnstableNodes } from '../../schema/differences-v2.ts';
import {
  type EditionSchema,
  stableEdition,
  unstableEdition,
  v2Edition,
  v2UnstableEdition,
} from '../../schema/editions.ts';
import { type OfficialDefinitions, officialDefinitions } from '../../schema/official-schema.ts';
import { checks } from '../../src/generated/checks.ts';
import { unstableChecks } from '../../src/generated/unstable-checks.ts';
import { v2Checks } from '../../src/generated/v2-checks.ts';
import { v2UnstableChecks } from '../../src/generated/v2-unstable-checks.ts';
import { methods } from '../../src/methods.ts';
import { unstableMethods } from '../../src/unstable/methods.ts';
import { isAbsolutePath } from '../../src/validation/absolute-path.ts';
import { isUri } from '../../src/validation/limits.ts';
import { v2Methods } from '../../src/v2/methods.ts';
import { v2UnstableMethods } from '../../src/v2/unstable/methods.ts';
import { arbitraryOfEdition } from './arbitrary.ts';
import { arbitraryDamage, inflict } from './damage.ts';

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

const editions: readonly (readonly [string, OfficialDefinitions, Checks, EditionSchema])[] = [
  ['v1/schema', v1Nodes, checks, stableEdition],
  ['v1/schema.unstable', v1UnstableNodes, unstableChecks, unstableEdition],
  ['v2/schema', v2Nodes, v2Checks, v2Edition],
  ['v2/schema.unstable', v2UnstableNodes, v2UnstableChecks, v2UnstableEdition],
];

test.each(editions)('the checks agree with Ajv on %s, for valid and for damaged values', (...edition) => {
  const [, nodes, ours, schema] = edition;
  const official = validators(nodes);
  const names = fc.constantFrom(...Object.keys(ours));
  const values = names.chain((name) => fc.tuple(fc.constant(name), arbitraryOfEdition(schema, name)));
  const damages = fc.array(arbitraryDamage, { maxLength: 2 });
  const property = fc.property(values, damages, ([name, value], damage) => {
    const damaged = JSON.parse(JSON.stringify(damage.reduce(inflict, structuredClone(value) as unknown))) as unknown;
    expect({ name, damaged, fits: ours[name]?.(damaged) }).toEqual({ name, damaged, fits: official(name)(damaged) });
  });
  fc.assert(property, { numRuns: randomRuns({ usual: 300, whole: 2_000 }) });
});

/** Validators of the official schema, compiled when they are first needed. */
function validators($defs: OfficialDefinitions): (name: string) => ValidateFunction {
  const ajv = new Ajv({
    strict: false,
    logger: false,
    formats: { 'absolute-path': isAbsolutePath, 'checked-uri': isUri },
  });
  ajv.addSchema({ $id: 'acp', $defs });
  return (name) => {
    const validate = ajv.getSchema(`acp#/$defs/${name}`);
    if (validate === undefined) throw new Error(`the official schema has no ${name}`);
    return validate;
  };
}

test.each([
  ['v1/schema', methods],
  ['v1/schema.unstable', unstableMethods],
  ['v2/schema', v2Methods],
  ['v2/schema.unstable', v2UnstableMethods],
] as const)('the method table has the parameters, results and sides of %s', (file, table) => {
  const official = Object.entries(officialDefinitions(file)).flatMap(([name, node]) => {
    const { 'x-side': side, 'x-method': method } = node;
    // The one method that is also a notification the other way: see src/unstable/methods.ts.
    if (method === undefined || name === 'MessageMcpNotification') return [];
    return [`${method} ${side === 'protocol' ? 'both' : side} ${name}`];
  });
  const ours = Object.entries(table).flatMap(([method, row]) => [
    `${method} ${row.side} ${row.params}`,
    ...('result' in row ? [`${method} ${row.side} ${row.result}`] : []),
  ]);
  expect(ours.toSorted()).toEqual(official.toSorted());
});
