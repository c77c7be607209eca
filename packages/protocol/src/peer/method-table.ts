import type { Dialect } from '../dialects/dialect.ts';
import type { Edition, SessionEffect } from '../edition.ts';
import { notificationHead, requestMiddle } from '../json-rpc/frames.ts';
import { Reader } from './reader.ts';
import { ownEntry, type Row, rowsOf } from './rows.ts';

/** A method as this side sends it. */
export interface OutgoingMethod {
  readonly method: string;
  readonly kind: Row['kind'];
  /** Absent for extensions and raw calls. */
  readonly row: Row | undefined;
  /** Sent whether or not the table of methods allows it. */
  readonly isRaw: boolean;
  /** The constant text of its frames. */
  readonly head: string;
  /** Its answer waits behind the updates that came before it. */
  readonly answersLast: boolean;
  /** Its effect on a session. */
  readonly effect: SessionEffect | undefined;
  /** Reads its results. Absent for extensions and notifications. */
  readonly results: Reader | undefined;
}

/** Names beyond the table that are cached. A program that passes messages on may receive any number of names. */
const mostNames = 1_000;

/** How the methods of an edition are sent and read with a dialect: one table for all connections that are made with both. */
export class MethodTable {
  static readonly #tables = new WeakMap<Edition, WeakMap<Dialect, MethodTable>>();
  readonly rows: ReadonlyMap<string, Row>;
  readonly edition: Edition;
  readonly #dialect: Dialect;
  readonly #readers = new Map<string, Reader>();
  /** By their kind and name. */
  readonly #sent = { raw: byKind(), checked: byKind() };

  static of(edition: Edition, dialect: Dialect): MethodTable {
    const byDialect = this.#tables.get(edition) ?? new WeakMap<Dialect, MethodTable>();
    const table = byDialect.get(dialect) ?? new MethodTable(edition, dialect);
    this.#tables.set(edition, byDialect.set(dialect, table));
    return table;
  }

  private constructor(edition: Edition, dialect: Dialect) {
    this.rows = rowsOf(edition);
    this.edition = edition;
    this.#dialect = dialect;
  }

  /** Reads the parameters of a method. */
  paramsOf(row: Row): Reader {
    const { method, params } = row;
    return (
      this.#readers.get(method) ??
      kept(this.#readers, method, new Reader(params, ownEntry(this.#dialect.params, method)))
    );
  }

  /** A method as it is sent after it was checked. */
  outgoing(method: string, kind: Row['kind']): OutgoingMethod {
    const known = this.#sent.checked[kind].get(method);
    if (known) return known;
    const row = this.rows.get(method);
    const results = row?.result && new Reader(row.result, ownEntry(this.#dialect.results, method));
    return kept(this.#sent.checked[kind], method, { ...this.raw(method, kind), row, isRaw: false, results });
  }

  /** A method by its name alone. */
  raw(method: string, kind: Row['kind']): OutgoingMethod {
    const known = this.#sent.raw[kind].get(method);
    if (known) return known;
    const head = kind === 'request' ? requestMiddle(method) : notificationHead(method);
    const { answersLast, effects } = this.edition.ordering;
    return kept(this.#sent.raw[kind], method, {
      ...{ method, kind, head, row: undefined, isRaw: true, results: undefined },
      answersLast: answersLast.has(method),
      effect: effects.get(method),
    });
  }
}

function kept<Value>(known: Map<string, Value>, method: string, value: Value): Value {
  if (known.size < mostNames) known.set(method, value);
  return value;
}

function byKind(): Readonly<Record<Row['kind'], Map<string, OutgoingMethod>>> {
  return { request: new Map(), notification: new Map() };
}
