import { cleanLine } from '../../terminal/clean-text.ts';
import { deletions, type Edit, editOf, insert, moves } from '../edit.ts';
import { layOut } from '../edit-layout.ts';
import type { Drawing } from '../drawing.ts';
import type { Key } from '../key.ts';

/** A line of text in a dialog. */
export class LineInput {
  #edit: Edit;

  constructor(text = '') {
    this.#edit = editOf(text);
  }

  get text(): string {
    return this.#edit.text;
  }

  clear(): void {
    this.#edit = editOf('');
  }

  /** Applies a key. Returns false if the key does not change the line. */
  key(key: Key): boolean {
    const move = moves[key.chord] ?? deletions[key.chord];
    if (key.text === '' && !move) return false;
    this.#edit = key.text === '' && move ? move(this.#edit) : insert(this.#edit, key.text);
    return true;
  }

  paste(text: string): void {
    this.#edit = insert(this.#edit, cleanLine(text));
  }

  /** Draws the part of the line around the cursor, after a sign. */
  draw(sign: string, signWidth: number, columns: number): Drawing {
    const width = Math.max(1, columns - signWidth - 1);
    const { lines, row, column } = layOut(this.#edit, { width, around: 0 });
    return { lines: [`${sign}${lines[row]?.text ?? ''}`], cursor: { row: 0, column: signWidth + column } };
  }
}
