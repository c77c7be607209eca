import { shapes } from './generated/shapes.ts';
import type { Definitions } from './generated/types.ts';
import { type Repaired, repairAs } from './validation/repair.ts';

/**
 * Repairs a received value as the schema's annotations allow: bad optional values are removed, bad list items
 * dropped, nulls read as absent. Works in place, on values fresh from `JSON.parse`; a value that is refused stays
 * as it was. A value that fits is not changed and has no problems.
 */
export function repair(name: keyof Definitions, value: unknown): Repaired {
  return repairAs(name, value, shapes);
}
