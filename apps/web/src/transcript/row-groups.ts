import type { TranscriptEntry, TranscriptView } from '@turnwire/client/transcript';
import { continuesGroup } from '@turnwire/client/view';

/** The groups among the rows of a transcript. The rows of a group after the first are hidden until the user unfolds it. */
export class RowGroups {
  readonly #entries: TranscriptView['entries'];
  readonly #firstRow: number;
  readonly #unfolded: ReadonlySet<number>;
  readonly #heads = new Map<number, number>();
  #unfoldedHeads: ReadonlySet<number> | undefined;

  /**
   * @param unfolded a row of each group that the user has unfolded. It was the first one at that time: entries that were loaded later may have
   * extended the group
   */
  constructor(entries: TranscriptView['entries'], firstRow: number, unfolded: ReadonlySet<number>) {
    this.#entries = entries;
    this.#firstRow = firstRow;
    this.#unfolded = unfolded;
  }

  /** Whether a row takes no space. */
  readonly isHidden = (row: number): boolean => {
    // Plans are above the editor.
    if (this.#entries.at(row - this.#firstRow)?.type === 'plan') return true;
    return this.#continues(row) && !(this.#unfolded.size > 0 && this.isUnfolded(this.headOf(row)));
  };

  /** The entries of the group that begins with a row. Undefined if none begins there. */
  beginningAt(row: number): readonly TranscriptEntry[] | undefined {
    if (this.#continues(row) || !this.#continues(row + 1)) return undefined;
    return this.#entries.slice(row - this.#firstRow, this.endOf(row) - this.#firstRow);
  }

  isUnfolded(head: number): boolean {
    this.#unfoldedHeads ??= new Set([...this.#unfolded].map((row) => this.headOf(row)));
    return this.#unfoldedHeads.has(head);
  }

  /** The rows of the unfolded groups after the user has folded or unfolded the group that begins with a row. */
  toggled(head: number): ReadonlySet<number> {
    return this.isUnfolded(head)
      ? new Set([...this.#unfolded].filter((row) => this.headOf(row) !== head))
      : new Set([...this.#unfolded, head]);
  }

  /** The first row of the group with a row. */
  headOf(row: number): number {
    const path = [row];
    let head = this.#heads.get(row) ?? row;
    while (this.#continues(head)) {
      path.push(--head);
      head = this.#heads.get(head) ?? head;
    }
    for (const each of path) this.#heads.set(each, head);
    return head;
  }

  /** The number after the last row of the group with a row. */
  endOf(row: number): number {
    let end = row + 1;
    while (this.#continues(end)) end++;
    return end;
  }

  #continues(row: number): boolean {
    const index = row - this.#firstRow;
    const entry = index > 0 ? this.#entries.at(index) : undefined;
    return entry !== undefined && continuesGroup(this.#entries.at(index - 1), entry);
  }
}
