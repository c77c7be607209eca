import { cleanText } from '../terminal/clean-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { cutLine } from '../terminal/text-width.ts';
import type { Drawing, Size } from './drawing.ts';
import { deletions, type Edit, editOf, emptyEdit, insert, kills, moves, replacePart } from './edit.ts';
import { layOut, vertically } from './edit-layout.ts';
import type { Key } from './key.ts';
import { markLength, Pastes } from './pastes.ts';
import { PromptHistory } from './prompt-history.ts';

/** The maximum number of edits that can be undone. */
const mostUndo = 200;
const newLine = new Set(['enter', 'meta-return', 'shift-return', 'meta-enter']);

/** The decoration of an editor. */
export interface EditorStyle {
  readonly paint: Paint;
  /** Printed before the first line. Two columns wide. */
  readonly sign: string;
  /** Shown while there is no text. */
  readonly hint: string;
}

/** A text editor with history and undo, in which a long paste is one character. */
export class Editor {
  #edit: Edit = emptyEdit;
  #undo: Edit[] = [];
  #killed = '';
  readonly #pastes = new Pastes();
  readonly #history: PromptHistory;
  /** The position of the arrow keys in the history, counted from the latest prompt; 0 for the current text. */
  #back = 0;
  #draft = '';
  #width = 80;

  constructor(history: PromptHistory = new PromptHistory()) {
    this.#history = history;
  }

  get isEmpty(): boolean {
    return this.#edit.text === '';
  }

  /** The text and the cursor, with one character per paste. */
  get edit(): Edit {
    return this.#edit;
  }

  /** The text as it will be sent. */
  get text(): string {
    return this.#pastes.expand(this.#edit.text);
  }

  /** Replaces the whole text. */
  write(text: string): void {
    this.#change(editOf(text));
  }

  /** Removes the text and adds it to the history of the arrow keys. */
  take(): string {
    const { text } = this;
    this.#history.add(text);
    this.clear();
    return text;
  }

  clear(): void {
    this.#edit = emptyEdit;
    this.#undo = [];
    this.#pastes.clear();
    this.#back = 0;
  }

  /** Replaces a part, as a completion does. */
  complete(part: { readonly from: number; readonly to: number }, text: string): void {
    this.#change(replacePart(this.#edit, part, text));
  }

  moveTo(cursor: number): void {
    this.#move({ ...this.#edit, cursor });
  }

  /** Inserts a paste. Pasting the same long text again right after itself shows it in full. */
  paste(text: string): void {
    const pasted = cleanText(text);
    const { text: written, cursor } = this.#edit;
    const from = cursor - markLength;
    if (this.#pastes.textOf(written.slice(Math.max(0, from), cursor)) === pasted)
      this.#change(replacePart(this.#edit, { from, to: cursor }, pasted));
    else this.#change(insert(this.#edit, this.#pastes.add(pasted)));
  }

  /** Applies a key to the text. Returns false if it has no effect here. */
  key(key: Key): boolean {
    if (key.text !== '') return this.#change(insert(this.#edit, this.#pastes.withoutMarks(key.text)));
    if (newLine.has(key.chord) || this.#endsWithBackslash(key)) {
      const { cursor } = this.#edit;
      const from = this.#endsWithBackslash(key) ? cursor - 1 : cursor;
      return this.#change(replacePart(this.#edit, { from, to: cursor }, '\n'));
    }
    const deletion = deletions[key.chord];
    if (deletion) return this.#delete(key.chord, deletion(this.#edit));
    const move = moves[key.chord];
    if (move) return this.#move(move(this.#edit));
    return this.#special(key);
  }

  #special({ chord }: Key): boolean {
    if (chord === 'ctrl-y') return this.#change(insert(this.#edit, this.#killed));
    if (chord === 'ctrl-_') {
      const edit = this.#undo.pop();
      if (edit) this.#edit = edit;
      return edit !== undefined;
    }
    if (chord === 'up' || chord === 'ctrl-p') return this.#vertically(-1);
    if (chord === 'down' || chord === 'ctrl-n') return this.#vertically(1);
    return false;
  }

  draw({ columns, rows }: Size, { paint, sign, hint }: EditorStyle): Drawing {
    this.#width = Math.max(1, columns - 3);
    if (this.isEmpty)
      return { lines: [sign + paint('dim', cutLine(hint, this.#width))], cursor: { row: 0, column: 2 } };
    const most = Math.max(1, rows);
    const { lines, row, column } = layOut(this.#edit, { width: this.#width, around: most, show: this.#pastes.show });
    const start = Math.max(0, Math.min(row - Math.floor(most / 2), lines.length - most));
    const shown = lines.slice(start, start + most);
    return {
      lines: shown.map(({ text, from }) => `${from === 0 ? sign : '  '}${text}`),
      cursor: { row: row - start, column: column + 2 },
    };
  }

  #change(edit: Edit): true {
    this.#undo = [...this.#undo.slice(-mostUndo), this.#edit];
    this.#edit = edit;
    return true;
  }

  #move(edit: Edit): true {
    this.#edit = edit;
    return true;
  }

  #delete(chord: string, edit: Edit): true {
    if (kills.has(chord)) {
      const length = this.#edit.text.length - edit.text.length;
      this.#killed = this.#edit.text.slice(edit.cursor, edit.cursor + length);
    }
    return this.#change(edit);
  }

  /** A backslash before Enter breaks the line, for terminals that do not distinguish Shift-Enter from Enter. */
  #endsWithBackslash({ chord }: Key): boolean {
    return chord === 'return' && this.#edit.text[this.#edit.cursor - 1] === '\\';
  }

  #vertically(by: 1 | -1): boolean {
    const layout = layOut(this.#edit, { width: this.#width, around: 1, show: this.#pastes.show });
    const moved = vertically(this.#edit, layout, by);
    return moved ? this.#move(moved) : this.#recall(by);
  }

  #recall(by: 1 | -1): boolean {
    const { prompts } = this.#history;
    const back = this.#back - by;
    if (back < 0 || back > prompts.length) return false;
    if (this.#back === 0) this.#draft = this.#edit.text;
    this.#back = back;
    const text = back === 0 ? undefined : prompts.at(-back);
    return this.#change(editOf(text === undefined ? this.#draft : this.#pastes.add(text)));
  }
}
