import type { Sequence } from './transcript-view.ts';

/**
 * A list whose versions share their common parts: a trie, 32 ways wide, where a change copies only the path to the changed item. Written
 * here because a library's list and map weigh 18 KB zipped, more than half of this whole package, for the few operations below.
 */
const bits = 5;
const width = 1 << bits;
const mask = width - 1;

/** A leaf holds items, a branch holds nodes; the depth says which. */
type Node = readonly unknown[];

/** An immutable list. `set` and `push` cost O(log n) and return a new version. */
export class PersistentVector<Item> implements Sequence<Item> {
  static readonly empty: PersistentVector<never> = new PersistentVector<never>([], 0, 0);

  readonly length: number;
  readonly #root: Node;
  /** The bits of an index that are used below the root. */
  readonly #shift: number;

  private constructor(root: Node, shift: number, length: number) {
    this.#root = root;
    this.#shift = shift;
    this.length = length;
  }

  at(index: number): Item | undefined {
    return isIndex(index, this.length) ? (this.#leaf(index)[index & mask] as Item) : undefined;
  }

  push(item: Item): PersistentVector<Item> {
    const index = this.length;
    const isFull = index === width << this.#shift;
    const root = isFull ? [this.#root] : this.#root;
    const shift = isFull ? this.#shift + bits : this.#shift;
    return new PersistentVector<Item>(changed(root, shift, { index, item }), shift, index + 1);
  }

  /** Replaces the item at an existing index. Ignores other indices. */
  set(index: number, item: Item): PersistentVector<Item> {
    if (!isIndex(index, this.length)) return this;
    return new PersistentVector<Item>(changed(this.#root, this.#shift, { index, item }), this.#shift, this.length);
  }

  slice(start: number, end: number = this.length): readonly Item[] {
    const items: Item[] = [];
    const from = Math.max(0, Math.trunc(start));
    const to = Math.min(this.length, Math.trunc(end));
    for (let index = from; index < to; index = (index | mask) + 1) {
      const offset = index & mask;
      items.push(...(this.#leaf(index).slice(offset, offset + to - index) as Item[]));
    }
    return items;
  }

  *[Symbol.iterator](): Generator<Item, undefined> {
    for (let start = 0; start < this.length; start += width) {
      for (const item of this.#leaf(start)) yield item as Item;
    }
  }

  toJSON(): readonly Item[] {
    return [...this];
  }

  #leaf(index: number): Node {
    let node = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= bits) node = node[(index >>> shift) & mask] as Node;
    return node;
  }
}

function isIndex(index: number, length: number): boolean {
  return Number.isInteger(index) && index >= 0 && index < length;
}

/** Replaces one item and shares all nodes outside the path. */
function changed(
  node: Node | undefined,
  shift: number,
  change: { readonly index: number; readonly item: unknown },
): Node {
  const copy = node === undefined ? [] : node.slice();
  const slot = (change.index >>> shift) & mask;
  copy[slot] = shift === 0 ? change.item : changed(copy[slot] as Node | undefined, shift - bits, change);
  return copy;
}
