import {
  SeveralValues,
  type DialectContext,
  type Dialect,
  type Reading,
  type SessionLookup,
} from '../dialects/dialect.ts';
import { describe, type Problem } from '../validation/problem.ts';
import { repairAs } from '../validation/repair.ts';
import type { Definition, Row } from './rows.ts';

/** A received value that fits the schema, with what had to be repaired; or why it does not. */
export type Received =
  | { readonly ok: true; readonly values: readonly unknown[]; readonly repaired: readonly Problem[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the values of one definition: checked fast, and only if that fails rewritten from the dialect's forms and
 * repaired as the schema's annotations say. What fits is handed on as it is: nothing is copied, unknown keys stay.
 */
export class Reader {
  readonly #definition: Definition;
  readonly #check: (value: unknown) => boolean;
  readonly #reading: Reading | undefined;
  readonly #context: () => DialectContext;
  readonly #allowsEmpty: boolean;

  constructor(definition: Definition, reading: Reading | undefined, context: () => DialectContext) {
    this.#definition = definition;
    this.#check = definition.fits;
    this.#reading = reading;
    this.#context = context;
    this.#allowsEmpty = this.#check({});
  }

  /** True if the value needs no repairing: the fast path. */
  fits(value: unknown): boolean {
    return this.#check(value) && this.#reading?.suspects?.(value) !== true;
  }

  /** Null stands for an empty object wherever one is allowed: several peers answer null where `{}` is meant. */
  filled(value: unknown): unknown {
    return (value === null || value === undefined) && this.#allowsEmpty ? {} : value;
  }

  /** Repairs a value that does not fit. For results, `request` holds the parameters of our request. */
  repair(value: unknown, request?: unknown): Received {
    const rewritten = this.#reading?.rewrite(value, { ...this.#context(), request }) ?? value;
    const values = rewritten instanceof SeveralValues ? rewritten.values : [this.filled(rewritten)];
    const { name, shapes } = this.#definition;
    const repaired = values.map((each) => repairAs(name, each, shapes));
    const problems = repaired.flatMap((each) => each.problems);
    if (!repaired.every((each) => each.ok)) return { ok: false, reason: describe(problems) };
    return { ok: true, values: repaired.map((each) => each.value), repaired: problems };
  }
}

/** Makes the readers of a connection, one per definition. */
export class Readers {
  readonly #dialect: Dialect;
  readonly #lookup: SessionLookup | undefined;
  readonly #remote: () => unknown;
  #count = 0;

  /** @param remote what the other side sent in `initialize` */
  constructor(dialect: Dialect, lookup: SessionLookup | undefined, remote: () => unknown) {
    this.#dialect = dialect;
    this.#lookup = lookup;
    this.#remote = remote;
  }

  params(row: Row): Reader {
    return new Reader(row.params, ownEntry(this.#dialect.params, row.method), this.#context);
  }

  result(row: Row, result: Definition): Reader {
    return new Reader(result, ownEntry(this.#dialect.results, row.method), this.#context);
  }

  readonly #context = (): DialectContext => {
    const lookup = this.#lookup;
    return { remote: this.#remote(), ...(lookup && { lookup }), freshId: (prefix) => `${prefix}${++this.#count}` };
  };
}

function ownEntry<T>(table: Readonly<Record<string, T | undefined>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
