import { sound } from './finding.ts';
import { Inspector } from './inspect.ts';
import type { Shapes } from './shape.ts';
import { notText, typeOf } from './wording.ts';
import type { Word } from './words.ts';

/*
 * Conditions beyond the other shapes. Only version 2 has them, so they are not in bundles that speak only version 1.
 */

/** A URI begins with a scheme. The rest is not checked: its form depends on the scheme. */
export const uri: Word = { expected: 'a URI', fits: isUri, received: notAUri };

export function isUri(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z\d+.-]*:/i.test(value);
}

function notAUri(value: unknown): string {
  return typeof value === 'string' && value !== '' ? 'text without a scheme' : notText(value);
}

/** A list with at least one item. */
export const notEmpty: Word = {
  expected: 'a list that is not empty',
  fits: (value) => !Array.isArray(value) || value.length > 0,
  received: () => 'an empty list',
};

/** A number within bounds, both included. */
export function between(minimum: number, maximum: number): Word {
  return {
    expected: `a number from ${minimum} to ${maximum}`,
    fits: (value) => typeof value === 'number' && value >= minimum && value <= maximum,
    received: (value) => (typeof value === 'number' ? 'a number out of range' : typeOf(value)),
  };
}

/** A value that fits only one of these definitions. */
export function notBoth(shapes: () => Shapes, names: readonly string[]): Word {
  return {
    expected: 'an object of one kind',
    fits: (value) => {
      const inspector = new Inspector(shapes());
      return names.filter((name) => inspector.inspect(name, value) === sound).length < 2;
    },
    received: () => 'one of two',
  };
}
