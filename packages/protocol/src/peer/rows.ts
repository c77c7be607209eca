import type { Definitions } from '../generated/types.ts';
import type { Side } from '../method-types.ts';
import { methods } from '../methods.ts';

/** One row of the method table, as the peer works with it. */
export interface Row {
  readonly method: string;
  readonly side: Side | 'both';
  readonly kind: 'request' | 'notification';
  readonly params: keyof Definitions;
  readonly result?: keyof Definitions;
  /** Paths into the handling side's capabilities, one of which must be advertised. Empty: always there. */
  readonly capabilities: readonly string[];
}

interface TableRow {
  readonly side: Row['side'];
  readonly kind: Row['kind'];
  readonly params: keyof Definitions;
  readonly result?: keyof Definitions;
  readonly capability?: string | readonly string[];
}

const rows: ReadonlyMap<string, Row> = new Map(
  Object.entries<TableRow>(methods).map(([method, { capability = [], ...row }]) => [
    method,
    { ...row, method, capabilities: typeof capability === 'string' ? [capability] : capability },
  ]),
);

/** The row of a protocol method; nothing for extensions and unknown methods. */
export function rowOf(method: string): Row | undefined {
  return rows.get(method);
}
