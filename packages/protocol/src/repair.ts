import { shapes } from './generated/shapes.ts';
import { type Repaired, repairAs } from './validation/repair.ts';
import type { Shapes } from './validation/shape.ts';

/**
 * Repairs a received value as the schema's annotations allow: bad optional values are removed, bad list items
 * dropped, nulls read as absent. Works in place, on values fresh from `JSON.parse`; a value that is refused stays
 * as it was. A value that fits is not changed and has no problems.
 * @param edition the shapes of another edition that has the definition. Default: the stable one of version 1
 */
export function repair(name: keyof typeof shapes, value: unknown, edition: Shapes = shapes): Repaired {
  return repairAs(name, value, edition);
}
