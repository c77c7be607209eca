import { refusal } from './finding.ts';
import { Inspector } from './inspect.ts';
import type { Problem } from './problem.ts';
import type { Shapes } from './shape.ts';

/** A value that now fits its definition, or the reasons why it cannot be made to. */
export type Repaired =
  | { readonly ok: true; readonly value: unknown; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Repairs a value of an edition's definition. */
export function repairAs(name: string, value: unknown, shapes: Shapes): Repaired {
  const finding = new Inspector(shapes).inspect(name, value);
  const { problems, edits } = finding;
  if (refusal(finding)) return { ok: false, problems };
  for (const edit of edits) edit();
  return { ok: true, value, problems };
}
