import { sound } from './finding.ts';
import { Inspector } from './inspect.ts';
import type { Shapes } from './shape.ts';

/** Whether a value fits. */
export type Check = (value: unknown) => boolean;

/** A check for each definition: the generated function if it has one, otherwise an inspection without problems. */
export function checksOf<Name extends string>(
  shapes: Shapes & { readonly [name in Name]: unknown },
  generated: { readonly [name in Name]?: Check },
): { readonly [name in Name]: Check } {
  const names = Object.keys(shapes) as Name[];
  const checks = names.map((name) => [name, generated[name] ?? ((value: unknown) => fits(name, value, shapes))]);
  return Object.fromEntries(checks) as Record<Name, Check>;
}

/** Whether an inspection finds no problem. */
export function fits(name: string, value: unknown, shapes: Shapes): boolean {
  return new Inspector(shapes).inspect(name, value) === sound;
}
