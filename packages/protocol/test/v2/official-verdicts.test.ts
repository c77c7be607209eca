import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { v2Methods, v2Shapes } from '@turnwire/protocol/v2';
import { v2UnstableMethods, v2UnstableShapes } from '@turnwire/protocol/v2/unstable';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../tools/random-runs.ts';
import { v2Edition, v2UnstableEdition } from '../../schema/editions.ts';
import { repairAs } from '../../src/validation/repair.ts';
import { arbitraryOfEdition } from '../schema/arbitrary.ts';
import { arbitraryDamage, inflict } from '../schema/damage.ts';
import {
  type Part,
  stableVerdictDifferences,
  unstableVerdictDifferences,
  type VerdictDifference,
} from './verdict-differences.ts';

/** What a package makes of a message. */
interface Reading {
  readonly isAccepted: boolean;
  readonly value: unknown;
}

/** A generated validator of the official package. */
interface OfficialValidator {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: unknown };
}

const schemaFile = pathToFileURL(
  createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v2/schema.json'),
);

const officialValidators = async (folder: string): Promise<Readonly<Record<string, OfficialValidator>>> =>
  (await import(new URL(`../../dist/v2/${folder}/zod.gen.js`, schemaFile).href)) as Record<string, OfficialValidator>;

const editions = [
  ['stable', { methods: v2Methods, shapes: v2Shapes, edition: v2Edition }, stableVerdictDifferences, 'schema'],
  [
    'unstable',
    { methods: v2UnstableMethods, shapes: v2UnstableShapes, edition: v2UnstableEdition },
    unstableVerdictDifferences,
    'unstable/schema',
  ],
] as const;

describe.each(editions)('a message of the %s edition', (_, { methods, shapes, edition }, differences, folder) => {
  const rows = Object.values<{ readonly params: string; readonly result?: string }>(methods);
  const names = [...new Set(rows.flatMap(({ params, result = params }) => [params, result])), 'Error'];
  const messageOf = (name: string): fc.Arbitrary<readonly [string, unknown]> =>
    fc.tuple(fc.constant(name), arbitraryOfEdition(edition, name));
  // Updates have half of all definitions.
  const messages = fc.oneof(fc.constantFrom(...names).chain(messageOf), messageOf('UpdateSessionNotification'));
  const damages = fc.array(arbitraryDamage, { minLength: 1, maxLength: 3 });
  const damaged = fc
    .tuple(messages, damages)
    .map(([[name, value], all]) => [name, plain(all.reduce(inflict, structuredClone(value)))] as const);
  const comparison = officialValidators(folder).then((validators) => new Comparison(validators, shapes));
  const numRuns = randomRuns({ usual: 150, whole: 10_000 });

  test.each([
    ['valid', messages],
    ['damaged', damaged],
  ] as const)(
    'that is %s is read as the official package reads it, except for listed differences',
    async (kind, all) => {
      const compare = await comparison;
      const counts = { accepted: 0, refused: 0 };
      const used = new Map<string, number>();
      const property = fc.property(all, ([name, message]) => {
        const { ours, official } = compare.readings(name, message);
        counts[ours.isAccepted ? 'accepted' : 'refused']++;
        if (isDeepStrictEqual(ours, official)) return;
        const { aligned, rules } = alignedWith(message, differences);
        for (const rule of rules) used.set(rule, (used.get(rule) ?? 0) + 1);
        const readings = compare.readings(name, aligned);
        expect({ name, message, aligned, reading: readings.ours }).toEqual({
          ...{ name, message, aligned, reading: readings.official },
        });
      });
      fc.assert(property, { numRuns, seed: 33 });
      if (numRuns >= 10_000) console.log({ kind, ...counts, differences: Object.fromEntries(used) });
    },
    600_000,
  );

  const named = differences.map((difference) => [difference.rule, difference] as const);

  test.each(named)('that shows a listed difference is read alike without it: %s', async (rule, { example, align }) => {
    const [name, message] = example;
    const compare = await comparison;
    const isAlike = (value: unknown): boolean => {
      const { ours, official } = compare.readings(name, value);
      return isDeepStrictEqual(ours, official);
    };
    const { aligned } = alignedWith(message, [{ rule, align }]);
    expect([isAlike(message), isAlike(aligned)]).toEqual([false, true]);
  });
});

/** Compares what two packages read. */
class Comparison {
  readonly #official: Readonly<Record<string, OfficialValidator>>;
  readonly #shapes: typeof v2Shapes | typeof v2UnstableShapes;

  constructor(
    official: Readonly<Record<string, OfficialValidator>>,
    shapes: typeof v2Shapes | typeof v2UnstableShapes,
  ) {
    this.#official = official;
    this.#shapes = shapes;
  }

  /**
   * The readings of a message. The official package leaves out keys that it does not know, and ours keeps them. So both values are what
   * the official package reads, in the message or in what ours made of it.
   */
  readings(name: string, message: unknown): { readonly ours: Reading; readonly official: Reading } {
    const repaired = repairAs(name, structuredClone(message), this.#shapes);
    return {
      ours: {
        isAccepted: repaired.ok,
        value: repaired.ok ? this.#officialReading(name, repaired.value).value : undefined,
      },
      official: this.#officialReading(name, message),
    };
  }

  #officialReading(name: string, message: unknown): Reading {
    const validator = this.#official[`z${name}`];
    if (validator === undefined) throw new Error(`the official package has no validator for ${name}`);
    const { success, data } = validator.safeParse(structuredClone(message));
    return { isAccepted: success, value: success ? plain(data) : undefined };
  }
}

/** The message without the causes of these differences, and the rules of those that it had. */
function alignedWith(
  message: unknown,
  differences: readonly Pick<VerdictDifference, 'rule' | 'align'>[],
): { readonly aligned: unknown; readonly rules: readonly string[] } {
  let aligned = message;
  const rules = differences.flatMap(({ rule, align }) => {
    const before = aligned;
    aligned = structuredClone(before);
    for (const part of partsIn(aligned)) align(part);
    return isDeepStrictEqual(aligned, before) ? [] : [rule];
  });
  return { aligned, rules };
}

function partsIn(value: unknown): readonly Part[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(partsIn);
  return Array.isArray(value) ? inner : [value as Part, ...inner];
}

/** As it is on the wire. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
