import type { Edition } from '../edition.ts';
import type { Side } from '../side.ts';
import type { Shapes } from '../validation/shape.ts';
import type { ParamGate } from '../gates.ts';

/** A definition of an edition, with its check and the shapes for repairs. */
export interface Definition {
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
  readonly shapes: Shapes;
}

/** One row of the method table, as the peer works with it. */
export interface Row {
  readonly method: string;
  readonly side: Side | 'both';
  readonly kind: 'request' | 'notification';
  readonly params: Definition;
  readonly result: Definition | undefined;
  /** Paths into the capabilities of the handling side. One of them must be advertised. Empty: always there. */
  readonly capabilities: readonly string[];
  /** Checks its parameters against the capabilities. Absent: they need none. */
  readonly gate: ParamGate | undefined;
}

/** The rows of an edition by method. Extensions and unknown methods have none. */
export function rowsOf(edition: Edition): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const [method, { side, kind, params, result, capability = [] }] of Object.entries(edition.methods))
    rows.set(method, {
      method,
      side,
      kind,
      params: definition(edition, params),
      result: result === undefined ? undefined : definition(edition, result),
      capabilities: typeof capability === 'string' ? [capability] : capability,
      gate: ownEntry(edition.paramGates, method),
    });
  return rows;
}

function definition({ checks, shapes }: Edition, name: string): Definition {
  const fits = checks[name];
  if (fits === undefined) throw new TypeError(`the edition has no check for ${name}`);
  return { name, fits, shapes };
}

/** The value that a table itself has for a key. */
export function ownEntry<T>(table: Readonly<Record<string, T | undefined>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
