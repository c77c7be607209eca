import { v2Checks, v2Shapes } from '@turnwire/protocol/v2';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns } from '../../../../tools/random-runs.ts';
import { v2Edition } from '../../schema/editions.ts';
import { repairAs } from '../../src/validation/repair.ts';
import { arbitraryOfEdition } from '../schema/arbitrary.ts';
import { arbitraryDamage, inflict } from '../schema/damage.ts';

const checks: Readonly<Record<string, (value: unknown) => boolean>> = v2Checks;
const fits = (name: string, value: unknown): boolean | undefined => checks[name]?.(value);

const values = fc
  .constantFrom(...Object.keys(checks))
  .chain((name) => fc.tuple(fc.constant(name), arbitraryOfEdition(v2Edition, name)));

test('valid messages of version 2 fit, and repair leaves them alone', () => {
  const property = fc.property(values, ([name, value]) => {
    const text = JSON.stringify(value);
    expect({
      name,
      fits: fits(name, value),
      repaired: repairAs(name, value, v2Shapes),
      text: JSON.stringify(value),
    }).toEqual({
      name,
      fits: true,
      repaired: { ok: true, value, problems: [] },
      text,
    });
  });
  fc.assert(property, { numRuns: randomRuns({ usual: 300, whole: 10_000 }) });
});

test('damaged messages of version 2 are repaired to ones that fit, or refused and left as they were', () => {
  const damages = fc.array(arbitraryDamage, { minLength: 1, maxLength: 3 });
  const property = fc.property(values, damages, ([name, value], all) => {
    const damaged = all.reduce(inflict, structuredClone(value) as unknown);
    const text = JSON.stringify(damaged);
    const isSound = fits(name, damaged);
    const { ok, problems } = repairAs(name, damaged, v2Shapes);
    const isUnchanged = JSON.stringify(damaged) === text;
    expect({
      fits: fits(name, damaged),
      isUnchanged,
      isQuiet: problems.length === 0,
      again: repairAs(name, damaged, v2Shapes),
    }).toEqual({
      fits: ok,
      isUnchanged: isSound || !ok,
      isQuiet: isSound,
      again: ok ? { ok, value: damaged, problems: [] } : { ok, problems },
    });
  });
  fc.assert(property, { numRuns: randomRuns({ usual: 500, whole: 10_000 }) });
});
