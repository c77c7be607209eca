import { sound } from './finding.ts';
import { Inspector } from './inspect.ts';
import type { Shape } from './shape.ts';

/** Whether a value fits. */
export type Check = (value: unknown) => boolean;

/** A check for each definition: the generated function if it has one, otherwise an inspection without problems. */
export function checksOf<Name extends string>(
  shapes: { readonly [name in Name]: Shape<string> },
  generated: { readonly [name in Name]?: Check },
): { readonly [name in Name]: Check } {
  const inspector = new Inspector(shapes);
  const names = Object.keys(shapes) as Name[];
  const checks = names.map((name) => [
    name,
    generated[name] ?? ((value: unknown) => inspector.inspect(name, value) === sound),
  ]);
  return Object.fromEntries(checks) as Record<Name, Check>;
}
