import fuzzysort from 'fuzzysort';
import type { Paint } from '../../terminal/paint.ts';
import { cutLine } from '../../terminal/text-width.ts';
import { type Drawing, type Size, stack } from '../drawing.ts';
import type { Key } from '../key.ts';
import { ChoiceList } from './choice-list.ts';
import type { Choice } from '../../questions/choice.ts';
import type { Dialog } from './dialog.ts';
import { LineInput } from './line-input.ts';

/** The maximum number of rows of a picker. */
const mostRows = 16;

/** The options of a picker. */
export interface PickerOptions<Value> {
  readonly title: string;
  readonly choices: readonly Choice<Value>[];
  /** The current value. */
  readonly current?: Value | undefined;
  /** The initial search text. */
  readonly search?: string | undefined;
  /** Whether a search keeps the order of the matching choices. */
  readonly keepsOrder?: boolean | undefined;
  /** Called with the choice, or with undefined if the user closed it. */
  readonly onPick: (value: Value | undefined) => void;
}

/** A list that the user searches by typing. */
export class Picker<Value> implements Dialog {
  readonly #options: PickerOptions<Value>;
  readonly #search: LineInput;
  readonly #list: ChoiceList<Value>;
  #all: readonly Choice<Value>[];
  #note = '';

  constructor(options: PickerOptions<Value>) {
    this.#options = options;
    this.#all = options.choices.map((each) => this.#shown(each));
    this.#search = new LineInput(options.search);
    this.#list = new ChoiceList(this.#found, (value) => value === options.current);
  }

  /** Updates the choices as more arrive, with a note about the rest. */
  offer(choices: readonly Choice<Value>[], note: string): void {
    this.#all = choices.map((each) => this.#shown(each));
    this.#note = note;
    this.#list.refresh(this.#found);
  }

  get #found(): readonly Choice<Value>[] {
    return found(this.#all, this.#search.text, this.#options.keepsOrder);
  }

  /** Shows a check mark after the current value, independent of the selection. */
  #shown(choice: Choice<Value>): Choice<Value> {
    return choice.value === this.#options.current ? { ...choice, label: `${choice.label} ✓` } : choice;
  }

  draw({ columns, rows }: Size, paint: Paint): Drawing {
    const head = `${paint('bold', this.#options.title)} ${paint('dim', `${this.#list.length}${this.#note === '' ? '' : `, ${this.#note}`}`)}`;
    const search = this.#search.draw(paint('cyan', '/ '), 2, columns);
    const list = this.#list.draw({ columns, rows: Math.min(mostRows, rows - 3) }, { paint, isNumbered: false });
    const body = list.length === 0 ? [paint('dim', '  nothing found')] : list;
    const foot = paint('dim', cutLine('Type to search · ↑↓ Enter · Esc goes back', columns));
    return stack({ lines: [cutLine(head, columns)] }, search, { lines: [...body, foot] });
  }

  key(key: Key): void {
    if (key.chord === 'escape') return this.#options.onPick(undefined);
    if (key.chord === 'return') {
      const { marked } = this.#list;
      return marked ? this.#options.onPick(marked.value) : undefined;
    }
    if (this.#list.move(key)) return;
    if (this.#search.key(key)) this.#list.replace(this.#found);
  }

  paste(text: string): void {
    this.#search.paste(text);
    this.#list.replace(this.#found);
  }
}

function found<Value>(choices: readonly Choice<Value>[], search: string, keepsOrder = false): readonly Choice<Value>[] {
  const sought = search.trim().toLowerCase();
  if (sought === '') return choices;
  const searched = choices.map((choice) => ({ choice, text: `${choice.label} ${choice.detail ?? ''}` }));
  const exact = keepsOrder ? searched.filter(({ text }) => text.toLowerCase().includes(sought)) : [];
  const ranked = fuzzysort.go(search, searched, { key: 'text', limit: 200, threshold: 0.2 }).map(({ obj }) => obj);
  return [...new Set([...exact, ...ranked])].map(({ choice }) => choice);
}
