import { shapes as stableShapes } from '../generated/shapes.ts';
import type { Definitions } from '../generated/types.ts';
import { refusal } from './finding.ts';
import { Inspector } from './inspect.ts';
import type { Problem } from './problem.ts';
import type { Shapes } from './shape.ts';

/** A value that now fits its definition, or the reasons why it cannot be made to. */
export type Repaired =
  | { readonly ok: true; readonly value: unknown; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Repairs a received value as the schema's annotations allow: bad optional values are removed, bad list items
 * dropped, nulls read as absent. Works in place, on values fresh from `JSON.parse`; a value that is refused stays
 * as it was. What fits already is not touched and has no problems.
 */
export function repair(name: keyof Definitions, value: unknown): Repaired {
  return repairAs(name, value, stableShapes);
}

/** Repairs a value of an edition's definition. */
export function repairAs(name: string, value: unknown, shapes: Shapes): Repaired {
  const finding = new Inspector(shapes).inspect(name, value, '');
  const { problems, edits } = finding;
  if (refusal(finding)) return { ok: false, problems };
  for (const edit of edits) edit();
  return { ok: true, value, problems };
}
