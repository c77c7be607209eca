import fuzzysort from 'fuzzysort';
import { cleanLine } from '../../terminal/clean-text.ts';
import type { Paint } from '../../terminal/paint.ts';
import { cutLine } from '../../terminal/text-width.ts';
import { ChoiceList } from '../dialogs/choice-list.ts';
import type { Choice } from '../../questions/choice.ts';
import type { Edit } from '../edit.ts';
import type { Key } from '../key.ts';
import { FileList } from './file-list.ts';

/** The maximum number of rows of suggestions. */
const mostRows = 6;
const mostFound = 50;

/** A command that can be completed. */
export interface CommandName {
  readonly name: string;
  readonly description: string;
  /** The placeholder of its argument; absent if it takes none. */
  readonly hint?: string | undefined;
  /** The known values of its argument. */
  readonly values?: (() => readonly CommandValue[]) | undefined;
}

/** A value of a command's argument. */
export interface CommandValue {
  readonly name: string;
  readonly description: string;
}

/** The replacement that a suggestion makes. */
export interface Completed {
  readonly part: { readonly from: number; readonly to: number };
  readonly text: string;
  /** Whether the text is complete and can be sent. */
  readonly isWhole: boolean;
  /** The text for Tab if it differs: Tab enters a folder, and Enter selects it. */
  readonly tabText?: string | undefined;
}

interface Word {
  /** A command, a file, or a value of a command. */
  readonly sign: '/' | '@' | '=';
  /** The command of a value. */
  readonly command?: string;
  readonly from: number;
  readonly to: number;
  readonly search: string;
}

/** The options of a completion. */
interface CompletionOptions {
  readonly commands: () => readonly CommandName[];
  readonly changed: () => void;
  /** The maximum number of listed files. Default: 30,000. */
  readonly mostFiles?: number | undefined;
}

/** Suggestions for the word at the cursor: commands after `/`, files after `@`, values after a command. */
export class Completion {
  readonly #commands: () => readonly CommandName[];
  readonly #files: FileList;
  #word: Word | undefined;
  #dismissed: string | undefined;
  readonly #list = new ChoiceList<Completed>([]);
  /** Whether the user has moved the selection. Then the suggestions stay until the text changes. */
  #hasMoved = false;

  constructor(cwd: string, { commands, changed, mostFiles }: CompletionOptions) {
    this.#commands = commands;
    this.#files = new FileList(
      cwd,
      () => {
        if (this.#word?.sign === '@' && !this.#hasMoved) this.#list.replace(this.#choices());
        changed();
      },
      mostFiles,
    );
  }

  get isOpen(): boolean {
    return this.#word !== undefined && this.#list.length > 0;
  }

  /** Updates the suggestions for the text. */
  follow(edit: Edit): void {
    const before = this.#word;
    const word = wordAt(edit);
    if (word?.search !== this.#dismissed) this.#dismissed = undefined;
    this.#word = this.#dismissed === undefined ? word : undefined;
    if (isSameWord(before, word)) return;
    this.#hasMoved = false;
    if (word?.sign === '@' && before?.sign !== '@') void this.#files.refresh();
    this.#list.replace(this.#choices());
    // Enter after a command without a value opens its list instead of selecting a value.
    if (word?.sign === '=' && word.search === '') this.#list.unmark();
  }

  dismiss(): void {
    this.#dismissed = this.#word?.search;
    this.#word = undefined;
  }

  /** Moves among the suggestions. Returns false for other keys. */
  move(key: Key): boolean {
    const isMoved = key.chord !== 'tab' && key.chord !== 'home' && key.chord !== 'end' && this.#list.move(key);
    this.#hasMoved ||= isMoved;
    return isMoved;
  }

  /** The replacement of the marked suggestion. */
  get chosen(): Completed | undefined {
    return this.isOpen ? this.#list.marked?.value : undefined;
  }

  draw(columns: number, paint: Paint): string[] {
    const lines = this.isOpen ? this.#list.draw({ columns, rows: mostRows }, { paint, isNumbered: false }) : [];
    const isCut = this.#word?.sign === '@' && this.#files.isCut;
    return isCut ? [...lines, paint('dim', cutLine(cutNote, columns))] : lines;
  }

  #choices(): Choice<Completed>[] {
    const word = this.#word;
    if (!word) return [];
    if (word.sign === '=') return valueChoices(this.#commands(), word);
    return word.sign === '/'
      ? commandChoices(this.#commands(), word)
      : fileChoices(this.#files.find(word.search, mostFound), word);
  }
}

function isSameWord(one: Word | undefined, other: Word | undefined): boolean {
  return one?.search === other?.search && one?.from === other?.from;
}

/** The word at the cursor: a command only at the beginning of the text, a file anywhere. */
function wordAt({ text, cursor }: Edit): Word | undefined {
  const line = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(line);
  if (command) return { sign: '/', from: 0, to: cursor, search: command[1] ?? '' };
  const file = /(?:^|\s)@([^\s"]*)$/.exec(line.slice(-300));
  const search = file?.[1];
  if (search !== undefined) return { sign: '@', from: cursor - search.length - 1, to: cursor, search };
  const [, name, value] = /^\/(\S+)[ ]+([^\n]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined || cursor < text.length) return undefined;
  return { sign: '=', command: name, from: cursor - value.length, to: cursor, search: value };
}

function valueChoices(commands: readonly CommandName[], { command, from, to, search }: Word): Choice<Completed>[] {
  const values = commands.find(({ name }) => name === command)?.values?.() ?? [];
  const found =
    search === '' ? values : fuzzysort.go(search, values, { key: 'name', limit: mostFound }).map(({ obj }) => obj);
  return found.map(({ name, description }) => ({
    label: name,
    detail: description,
    value: { part: { from, to }, text: name, isWhole: true },
  }));
}

function commandChoices(commands: readonly CommandName[], { from, to, search }: Word): Choice<Completed>[] {
  const found =
    search === ''
      ? commands
      : fuzzysort.go(search, commands, { key: 'name', limit: mostFound, threshold: 0 }).map(({ obj }) => obj);
  return found.map(({ name, description, hint, values }) => ({
    label: `/${cleanLine(name)}`,
    detail: cleanLine(hint === undefined ? description : `${hint}: ${description}`),
    value: {
      part: { from, to },
      text: `/${name}${hint === undefined ? '' : ' '}`,
      // A completely typed command runs without an argument, unless its values can be chosen.
      isWhole: hint === undefined || (search === name && values === undefined),
    },
  }));
}

const cutNote = '  The folder has more files than were listed. Type a folder and / to list its files.';

function fileChoices(paths: readonly string[], { from, to }: Word): Choice<Completed>[] {
  return paths.map((path) => {
    const name = /[\s"]/.test(path) ? `@"${path}"` : `@${path}`;
    const tabText = path.endsWith('/') ? name : undefined;
    return { label: cleanLine(path), value: { part: { from, to }, text: `${name} `, isWhole: false, tabText } };
  });
}
