import { startOfLine } from './edit.ts';
import type { Editor } from './editor.ts';
import { linesOf, motion, type Span, spanOf, textObject } from './vim-motions.ts';

/** A command of vim for a text: `2dw` has the count 2, the operator `d` and the rest `w`. */
export interface VimCommand {
  /** At least 1. `Infinity` for `G` without a count, which goes to the last line. */
  readonly count: number;
  readonly operator: string | undefined;
  readonly rest: string;
}

/** Keys that stand for an operator and a motion. */
const short: Readonly<Record<string, readonly [operator: string, rest: string] | undefined>> = {
  ...{ x: ['d', 'l'], X: ['d', 'h'], D: ['d', '$'], C: ['c', '$'], Y: ['y', 'y'], s: ['c', 'l'], S: ['c', 'c'] },
};

/** How long the copies of a text may be together, in UTF-16 units. */
const longestPut = 100_000;

/** Applies the commands of vim to the text of an editor, and keeps their register and last search. */
export class VimText {
  readonly #editor: Editor;
  #register: { readonly text: string; readonly isLinewise: boolean } = { text: '', isLinewise: false };
  #lastSearch = '';

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** Returns true if the insert mode begins. */
  run({ count, operator, rest }: VimCommand): boolean {
    const [op = operator, name = rest] = (operator === undefined && short[rest]) || [];
    if (op !== undefined) {
      const span = this.#spanOf(name, { operator: op, count });
      if (span) this.#operate(op, span);
      return span !== undefined && op === 'c';
    }
    const command = this.#commands[/^r[^]/u.test(rest) ? 'r' : rest];
    if (command) command(count, rest);
    else this.#move(rest, count);
    return false;
  }

  readonly #commands: Readonly<Record<string, ((count: number, command: string) => void) | undefined>> = {
    p: (count) => this.#put(count, true),
    P: (count) => this.#put(count, false),
    r: (count, command) => this.#replace(command.slice(1), count),
    u: () => void this.#editor.key({ chord: 'ctrl-_', text: '' }),
    J: () => this.#join(),
    '~': (count) => this.#swapCase(count),
  };

  #move(name: string, count: number): void {
    const target = motion(this.#searchOf(name), this.#editor.edit, count);
    if (target) this.#editor.moveTo(target.to);
    // At the first and last line, as the arrow keys do: earlier prompts.
    else if (name === 'j' || name === 'k') this.#editor.key({ chord: name === 'j' ? 'down' : 'up', text: '' });
  }

  /** `;` and `,` repeat the last search in the line. */
  #searchOf(name: string): string {
    if (/^[fFtT][^]/u.test(name)) this.#lastSearch = name;
    if (name === ';') return this.#lastSearch;
    if (name !== ',') return name;
    const how = this.#lastSearch.slice(0, 1);
    return (how === how.toLowerCase() ? how.toUpperCase() : how.toLowerCase()) + this.#lastSearch.slice(1);
  }

  #spanOf(rest: string, { operator, count }: { readonly operator: string; readonly count: number }): Span | undefined {
    const { edit } = this.#editor;
    if (rest === operator) {
      const last = count === 1 ? edit.cursor : (motion('j', edit, count - 1)?.to ?? edit.text.length);
      return { ...linesOf(edit.text, edit.cursor, last), isLinewise: true };
    }
    if (/^[ia][^]/u.test(rest)) return textObject(rest, edit);
    // `cw` changes to the end of the word only.
    const isWord = operator === 'c' && /\S/.test(edit.text[edit.cursor] ?? ' ');
    const name = isWord ? rest.replace(/^w$/, 'e').replace(/^W$/, 'E') : rest;
    const target = motion(this.#searchOf(name), edit, count);
    if (!target) return undefined;
    const span = spanOf(edit, target);
    if (name !== 'w' && name !== 'W') return span;
    // The break after the last word of a line stays.
    return { ...span, to: span.from + edit.text.slice(span.from, span.to).replace(/\n\s*$/, '').length };
  }

  #operate(operator: string, span: Span): void {
    const editor = this.#editor;
    const { isLinewise } = span;
    const taken = editor.edit.text.slice(span.from, span.to);
    const hasBreak = isLinewise && taken.endsWith('\n');
    this.#register = { text: isLinewise && !hasBreak ? `${taken}\n` : taken, isLinewise };
    if (operator === 'y') return editor.moveTo(Math.min(span.from, editor.edit.cursor));
    if (operator === 'c') return editor.complete({ from: span.from, to: hasBreak ? span.to - 1 : span.to }, '');
    // The last line goes with the line break before it.
    const from = isLinewise && !hasBreak && span.from > 0 ? span.from - 1 : span.from;
    editor.complete({ from, to: span.to }, '');
    if (isLinewise) editor.moveTo(startOfLine(editor.edit));
  }

  #put(count: number, isAfter: boolean): void {
    const editor = this.#editor;
    const { text, isLinewise } = this.#register;
    const { edit } = editor;
    if (text === '') return;
    const copies = text.repeat(Math.min(count, Math.max(1, Math.floor(longestPut / text.length))));
    if (!isLinewise) {
      const at = isAfter ? (motion('l', edit, 1)?.to ?? edit.cursor) : edit.cursor;
      editor.complete({ from: at, to: at }, copies);
      return moveBy('h', editor);
    }
    const line = linesOf(edit.text, edit.cursor, edit.cursor);
    const at = isAfter ? line.to : line.from;
    const isAtEnd = isAfter && !edit.text.slice(0, at).endsWith('\n');
    editor.complete({ from: at, to: at }, isAtEnd ? `\n${copies.slice(0, -1)}` : copies);
    editor.moveTo(isAtEnd ? at + 1 : at);
  }

  #replace(character: string, count: number): void {
    const { edit } = this.#editor;
    const to = motion('l', edit, count)?.to ?? edit.cursor;
    if (to === edit.cursor) return;
    this.#editor.complete({ from: edit.cursor, to }, character.repeat(count));
    moveBy('h', this.#editor);
  }

  #swapCase(count: number): void {
    const { edit } = this.#editor;
    const to = motion('l', edit, count)?.to ?? edit.cursor;
    const swapped = edit.text
      .slice(edit.cursor, to)
      .replaceAll(/\p{L}/gu, (letter) =>
        letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
      );
    this.#editor.complete({ from: edit.cursor, to }, swapped);
  }

  #join(): void {
    const { text, cursor } = this.#editor.edit;
    const end = text.indexOf('\n', cursor);
    if (end === -1) return;
    const rest = /^\n[^\S\n]*/.exec(text.slice(end))?.[0].length ?? 1;
    this.#editor.complete({ from: end, to: end + rest }, ' ');
    moveBy('h', this.#editor);
  }
}

/** Moves the cursor. */
export function moveBy(name: string, editor: Editor): void {
  const target = motion(name, editor.edit, 1);
  if (target) editor.moveTo(target.to);
}
