import type { Editor } from './editor.ts';
import type { Key } from './key.ts';
import { moveBy, type VimCommand, VimText } from './vim-text.ts';

/** Keys after which the text is edited as without vim. */
const inserting: Readonly<Record<string, ((editor: Editor) => void) | undefined>> = {
  i: () => undefined,
  a: (editor) => moveBy('l', editor),
  I: (editor) => moveBy('^', editor),
  A: (editor) => moveBy('$', editor),
  o: (editor) => {
    moveBy('$', editor);
    editor.key({ chord: '', text: '\n' });
  },
  O: (editor) => {
    moveBy('0', editor);
    const { cursor } = editor.edit;
    editor.complete({ from: cursor, to: cursor }, '\n');
    editor.moveTo(cursor);
  },
};

const insertKey: Key = { chord: 'i', text: 'i' };

/** The keys of vim for a prompt: its usual motions, operators, text objects, counts and `.`, but neither visual mode nor registers. */
export class VimKeys {
  readonly #editor: Editor;
  readonly #text: VimText;
  #isInserting = true;
  #typed = '';
  /** The keys since the last command began, and those of the last command that changed the text. */
  #keys: Key[] = [insertKey];
  #lastChange: readonly Key[] = [];

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#text = new VimText(editor);
  }

  get mode(): string {
    return this.#isInserting ? 'INSERT' : 'NORMAL';
  }

  /** A new prompt begins. */
  reset(): void {
    this.#isInserting = true;
    this.#typed = '';
    this.#keys = [insertKey];
  }

  /** Returns false for a key that has its usual effect. */
  key(key: Key): boolean {
    if (this.#isInserting) return this.#insert(key);
    if (key.chord === 'escape' && this.#typed !== '') {
      this.#typed = '';
      return true;
    }
    if (key.chord === 'backspace') {
      moveBy('h', this.#editor);
      return true;
    }
    if (key.text === '') return false;
    if (this.#typed === '') this.#keys = [];
    this.#keys.push(key);
    this.#typed += key.text;
    const command = commandIn(this.#typed);
    if (command) this.#run(command);
    return true;
  }

  #insert(key: Key): boolean {
    if (key.chord !== 'escape') {
      this.#keys.push(key);
      return false;
    }
    this.#isInserting = false;
    this.#lastChange = [...this.#keys, key];
    moveBy('h', this.#editor);
    return true;
  }

  /** Unknown keys do nothing. */
  #run(command: VimCommand): void {
    const editor = this.#editor;
    const { text } = editor.edit;
    this.#typed = '';
    const { operator, rest } = command;
    if (rest === '.') return this.#repeat();
    const insert = operator === undefined ? inserting[rest] : undefined;
    insert?.(editor);
    this.#isInserting = insert !== undefined || this.#begins(command) || this.#text.run(command);
    if (this.#isInserting) return;
    // The cursor is on a character, not behind the last one of its line.
    if (['\n', undefined].includes(editor.edit.text[editor.edit.cursor])) moveBy('h', editor);
    if (editor.edit.text !== text && rest !== 'u') this.#lastChange = [...this.#keys];
  }

  /** In an empty editor, these keys begin a command of the chat, as they do without vim. */
  #begins({ rest }: VimCommand): boolean {
    return this.#editor.isEmpty && ['/', '!', '@'].includes(rest) && this.#editor.key({ chord: rest, text: rest });
  }

  #repeat(): void {
    const keys = this.#lastChange;
    for (const key of keys) if (!this.key(key)) this.#editor.key(key);
    this.#lastChange = keys;
  }
}

/** A command that is repeated more often would stop the chat for seconds. */
const mostTimes = 9_999;

/** The command of these keys; undefined if it needs another key. */
function commandIn(typed: string): VimCommand | undefined {
  const [, first, operator, second, rest = ''] = /^([1-9]\d*)?(?:([dcy])([1-9]\d*)?)?(.*)$/su.exec(typed) ?? [];
  const needsMore = operator === undefined ? /^(?:|g|[fFtTr])$/u : /^(?:|g|[fFtTia])$/u;
  if (needsMore.test(rest)) return undefined;
  if (rest === 'G' && first === undefined && second === undefined) return { count: Infinity, operator, rest };
  return { count: Math.min(Number(first ?? 1) * Number(second ?? 1), mostTimes), operator, rest };
}
