import type { HandlerContext } from './peer-types.ts';
import type { MethodTable } from './method-table.ts';
import type { Reader } from './reader.ts';
import type { Row } from './rows.ts';

/** A handler with the parts that a call of it needs. */
export interface Entry {
  readonly method: string;
  /** The methods of the edition that it belongs to. */
  readonly methods: MethodTable;
  /** Absent for extensions. */
  readonly row: Row | undefined;
  /** Reads its parameters. Absent for extensions. */
  readonly params: Reader | undefined;
  readonly handler: (params: unknown, context: HandlerContext) => unknown;
  /** The context of its notifications. */
  readonly context: HandlerContext;
}
