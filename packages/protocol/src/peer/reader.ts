import { SeveralValues, type DialectContext, type Reading, type SessionLookup } from '../dialects/dialect.ts';
import { describe, type Problem } from '../validation/problem.ts';
import { repairAs } from '../validation/repair.ts';
import type { Definition } from './rows.ts';

/** A received value that fits the schema, with its repairs; or the reason why it does not fit. */
export type Received =
  | { readonly ok: true; readonly values: readonly unknown[]; readonly repaired: readonly Problem[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the values of one definition: checked fast, and only if that fails rewritten from the dialect's forms and
 * repaired as the schema's annotations say. A value that fits is returned unchanged: it is not copied, and unknown keys stay.
 */
export class Reader {
  readonly #definition: Definition;
  readonly #check: (value: unknown) => boolean;
  readonly #reading: Reading | undefined;

  constructor(definition: Definition, reading: Reading | undefined) {
    this.#definition = definition;
    this.#check = definition.fits;
    this.#reading = reading;
  }

  /** True if the value needs no repairing: the fast path. */
  fits(value: unknown): boolean {
    return this.#check(value) && this.#reading?.suspects?.(value) !== true;
  }

  /** Null stands for an empty object wherever one is allowed: several peers answer null where `{}` is meant. */
  filled(value: unknown): unknown {
    return (value === null || value === undefined) && this.#check({}) ? {} : value;
  }

  /** Repairs a value that does not fit. */
  repair(value: unknown, context: DialectContext): Received {
    const rewritten = this.#reading?.rewrite(value, context) ?? value;
    const values = rewritten instanceof SeveralValues ? rewritten.values : [this.filled(rewritten)];
    const { name, shapes } = this.#definition;
    const repaired = values.map((each) => repairAs(name, each, shapes));
    const problems = repaired.flatMap((each) => each.problems);
    if (!repaired.every((each) => each.ok)) return { ok: false, reason: describe(problems) };
    return { ok: true, values: repaired.map((each) => each.value), repaired: problems };
  }
}

/** Knows what the other side said in `initialize`. */
interface Introduced {
  readonly remote: unknown;
}

/** The context in which the dialect of one connection reads values. */
export class ReadingFacts {
  readonly #handshake: Introduced;
  readonly #lookup: SessionLookup | undefined;
  #ids = 0;

  constructor(handshake: Introduced, lookup: SessionLookup | undefined) {
    this.#handshake = handshake;
    this.#lookup = lookup;
  }

  /** @param request for results: the parameters of our request */
  context(request?: unknown): DialectContext {
    const lookup = this.#lookup;
    const { remote } = this.#handshake;
    return { request, remote, ...(lookup && { lookup }), freshId: (prefix) => `${prefix}${++this.#ids}` };
  }
}
