/**
 * An immutable map from strings to numbers, for keys that are added and, rarely, changed, but never removed. It consists of a few ordinary
 * maps, each at least twice as large as the next; adding merges the smallest ones, which costs O(log n) on average.
 */
export class KeyIndex {
  static readonly empty: KeyIndex = new KeyIndex([]);

  /** Largest and oldest first: if two contain a key, the later one counts. */
  readonly #maps: readonly ReadonlyMap<string, number>[];

  private constructor(maps: readonly ReadonlyMap<string, number>[]) {
    this.#maps = maps;
  }

  get(key: string): number | undefined {
    for (let index = this.#maps.length - 1; index >= 0; index--) {
      const found = this.#maps[index]?.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  with(key: string, value: number): KeyIndex {
    let first = this.#maps.length;
    for (let size = 1; first > 0; first--) {
      const before = this.#maps[first - 1]?.size ?? 0;
      if (before >= size * 2) break;
      size += before;
    }
    const [largest = [], ...rest] = this.#maps.slice(first);
    const merged = new Map(largest);
    for (const each of rest) each.forEach((index, name) => merged.set(name, index));
    return new KeyIndex([...this.#maps.slice(0, first), merged.set(key, value)]);
  }
}
