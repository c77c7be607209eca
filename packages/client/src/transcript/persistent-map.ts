import { KeyIndex } from './key-index.ts';
import { PersistentVector } from './persistent-vector.ts';

/** An immutable map in insertion order, for keys that are never removed. Putting and getting cost O(log n). */
export class PersistentMap<Value> implements ReadonlyMap<string, Value> {
  static readonly empty: PersistentMap<never> = new PersistentMap<never>(PersistentVector.empty, KeyIndex.empty);

  readonly #items: PersistentVector<readonly [string, Value]>;
  readonly #places: KeyIndex;
  /** Built once per version, for iteration. */
  #copy: ReadonlyMap<string, Value> | undefined;

  private constructor(items: PersistentVector<readonly [string, Value]>, places: KeyIndex) {
    this.#items = items;
    this.#places = places;
  }

  get size(): number {
    return this.#items.length;
  }

  get(key: string): Value | undefined {
    const index = this.#places.get(key);
    return index === undefined ? undefined : this.#items.at(index)?.[1];
  }

  has(key: string): boolean {
    return this.#places.get(key) !== undefined;
  }

  with(key: string, value: Value): PersistentMap<Value> {
    const index = this.#places.get(key);
    if (index !== undefined) return new PersistentMap(this.#items.set(index, [key, value]), this.#places);
    return new PersistentMap(this.#items.push([key, value]), this.#places.with(key, this.size));
  }

  forEach(callback: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this) callback(value, key, this);
  }

  entries(): MapIterator<[string, Value]> {
    return this.#asMap().entries();
  }

  keys(): MapIterator<string> {
    return this.#asMap().keys();
  }

  values(): MapIterator<Value> {
    return this.#asMap().values();
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  #asMap(): ReadonlyMap<string, Value> {
    this.#copy ??= new Map(this.#items);
    return this.#copy;
  }
}
