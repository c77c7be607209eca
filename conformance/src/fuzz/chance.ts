import { seededIntegers } from '../agent/fixtures/seeded-integers.ts';

/**
 * A recorded source of random values. The same numbers create the same values; fewer or smaller numbers create simpler values, because 0
 * replaces missing numbers and stands for the simplest choice.
 */
export class Chance {
  readonly #next: () => number;
  readonly #drawn: number[] = [];

  private constructor(next: () => number) {
    this.#next = next;
  }

  /** A source that repeats its numbers for the same seeds. */
  static from(...seeds: readonly number[]): Chance {
    return new Chance(seededIntegers(...seeds));
  }

  static again(numbers: readonly number[]): Chance {
    let at = 0;
    return new Chance(() => numbers[at++] ?? 0);
  }

  get drawn(): readonly number[] {
    return this.#drawn;
  }

  /** An integer from 0 to `count - 1`. */
  below(count: number): number {
    const number = Math.min(this.#next(), 2 ** 32 - 1) % count;
    this.#drawn.push(number);
    return number;
  }

  /** True with a probability of 1 in `count`. */
  oneIn(count: number): boolean {
    return this.below(count) === count - 1;
  }

  /** One of these values; the first is the simplest. */
  pick<Value>(values: readonly [Value, ...(readonly Value[])]): Value {
    return values[this.below(values.length)] ?? values[0];
  }

  /** A value made in one of these ways, chosen by weight; the first is the simplest. */
  weighted<Value>(ways: readonly (readonly [weight: number, make: Maker<Value>])[]): Value {
    let left = this.below(ways.reduce((sum, [weight]) => sum + weight, 0));
    const chosen = ways.find(([weight]) => (left -= weight) < 0);
    if (chosen === undefined) throw new RangeError('there is nothing to choose from');
    return chosen[1](this);
  }

  list<Value>(most: number, make: Maker<Value>, least: number = 0): Value[] {
    return Array.from({ length: least + this.below(most - least + 1) }, () => make(this));
  }

  /** Text of mostly letters and printable characters, sometimes others. */
  text(least: number = 0): string {
    return this.list(10, character, least).join('');
  }

  /** An integer that is often at an end of the range or close to 0, where mistakes occur. */
  integer(least: number = -(2 ** 31), most: number = 2 ** 31 - 1): number {
    const fitting = (value: number): number => Math.min(Math.max(value, least), most);
    return this.weighted([
      [4, () => fitting(this.below(20))],
      [1, () => fitting(-1)],
      [1, () => least],
      [1, () => most],
      [2, () => least + this.below(most - least + 1)],
    ]);
  }

  /** Any JSON value up to this depth. */
  json(depth: number): unknown {
    const plain: readonly (readonly [number, Maker<unknown>])[] = [
      [3, () => this.pick([null, true, false])],
      [3, () => this.integer()],
      [3, () => this.text()],
    ];
    if (depth === 0) return this.weighted(plain);
    const inner = (): unknown => this.json(depth - 1);
    return this.weighted([
      ...plain,
      [2, () => this.list(3, inner)],
      [2, () => Object.fromEntries(this.list(3, () => [this.text(), inner()] as const))],
    ]);
  }
}

/** Creates a value from random numbers. */
export type Maker<Value> = (chance: Chance) => Value;

function character(chance: Chance): string {
  return chance.weighted([
    [20, () => String.fromCharCode(97 + chance.below(26))],
    [10, () => String.fromCharCode(32 + chance.below(95))],
    [1, () => chance.pick(['é', '漢', '😀', '\u0000', '\u2028', '\u202e', '\ufeff'])],
  ]);
}
