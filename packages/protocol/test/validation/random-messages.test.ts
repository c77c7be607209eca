import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checks } from '../../src/generated/checks.ts';
import { repair } from '../../src/repair.ts';
import { arbitraryOf } from '../schema/arbitrary.ts';
import { arbitraryDamage, inflict } from '../schema/damage.ts';
import { randomRuns } from '../../../../tools/random-runs.ts';

const names = Object.keys(checks) as (keyof typeof checks)[];

describe.each(names)('%s', (name) => {
  test(`valid values of ${name} pass the check before and after JSON, and repair leaves them unchanged`, () => {
    const property = fc.property(arbitraryOf(name), (value) => {
      const text = JSON.stringify(value);
      const isValid = checks[name](value);
      expect({ isValid, repaired: repair(name, value), text: JSON.stringify(value) }).toEqual({
        isValid: true,
        repaired: { ok: true, value, problems: [] },
        text,
      });
      expect(checks[name](JSON.parse(text))).toBe(true);
    });
    fc.assert(property, { numRuns: randomRuns({ usual: 8, whole: 25 }) });
  });

  test(`damaged values of ${name} are accepted unchanged, repaired to valid ones, or refused and left unchanged`, () => {
    const property = fc.property(
      arbitraryOf(name),
      fc.array(arbitraryDamage, { minLength: 1, maxLength: 3 }),
      (value, damages) => {
        const damaged = damages.reduce(inflict, structuredClone(value) as unknown);
        const text = JSON.stringify(damaged);
        const fits = checks[name](damaged);
        const repaired = repair(name, damaged);
        const { ok, problems } = repaired;
        const isUnchanged = JSON.stringify(damaged) === text;
        expect({
          fits: checks[name](damaged),
          isUnchanged,
          isQuiet: problems.length === 0,
          isWithoutRefusal: problems.every(({ action }) => action !== 'refused'),
          again: repair(name, damaged),
        }).toEqual({
          fits: ok,
          isUnchanged: fits || !ok,
          isQuiet: fits,
          isWithoutRefusal: ok,
          again: ok ? { ok, value: damaged, problems: [] } : repaired,
        });
      },
    );
    fc.assert(property, { numRuns: randomRuns({ usual: 20, whole: 40 }) });
  });
});
