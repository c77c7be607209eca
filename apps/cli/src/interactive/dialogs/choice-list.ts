import type { Choice } from '../../questions/choice.ts';
import type { Paint } from '../../terminal/paint.ts';
import { cutLine, padLine, textWidth, wrapWords } from '../../terminal/text-width.ts';
import type { Size } from '../drawing.ts';
import type { Key } from '../key.ts';

/** The minimum width of a detail next to its label, in columns. */
const leastDetail = 20;

/** The style of a list. */
interface ChoiceStyle {
  readonly paint: Paint;
  /** Whether choices have numbers that select them. */
  readonly isNumbered: boolean;
  /** Whether all details wrap. Default: only the detail of the marked choice wraps; others are cut. */
  readonly isWrapped?: boolean;
}

/** A list of choices with at most one marked choice. */
export class ChoiceList<Value> {
  #choices: readonly Choice<Value>[];
  #index = 0;

  constructor(choices: readonly Choice<Value>[], isMarked: (value: Value) => boolean = () => false) {
    this.#choices = choices;
    this.#index = Math.max(
      0,
      choices.findIndex(({ value }) => isMarked(value)),
    );
  }

  get length(): number {
    return this.#choices.length;
  }

  get marked(): Choice<Value> | undefined {
    return this.#choices[this.#index];
  }

  /** Replaces the choices and marks the first one. */
  replace(choices: readonly Choice<Value>[]): void {
    this.#choices = choices;
    this.#index = 0;
  }

  /** Updates the choices and keeps the mark. */
  refresh(choices: readonly Choice<Value>[]): void {
    this.#choices = choices;
    this.#index = Math.max(0, Math.min(this.#index, choices.length - 1));
  }

  /** Removes the mark until a key moves it. */
  unmark(): void {
    this.#index = -1;
  }

  /** Moves the mark. Returns false for other keys. */
  move({ chord }: Key): boolean {
    const by = steps[chord];
    if (by === undefined || this.#choices.length === 0) return false;
    const isStep = Math.abs(by) === 1;
    const index = (by < 0 ? Math.max(0, this.#index) : this.#index) + by;
    const last = this.#choices.length - 1;
    // A step wraps around, a page does not.
    this.#index = isStep ? (index + last + 1) % (last + 1) : Math.max(0, Math.min(index, last));
    return true;
  }

  /** Marks the choice of a digit or a letter. Returns false if there is none. */
  markNamed(key: Key): boolean {
    const named = this.named(key);
    if (named) this.#index = this.#choices.indexOf(named);
    return named !== undefined;
  }

  /** The choice of a digit or a letter. */
  named(key: Key): Choice<Value> | undefined {
    return /^[1-9]$/.test(key.text) ? this.#choices[Number(key.text) - 1] : this.lettered(key);
  }

  /** The choice of a letter. */
  lettered({ text }: Key): Choice<Value> | undefined {
    return text === '' ? undefined : this.#choices.find(({ letter }) => letter === text.toLowerCase());
  }

  draw(size: Size, style: ChoiceStyle): string[] {
    const { columns, rows } = size;
    const visible = Math.max(1, rows);
    const start = Math.max(0, Math.min(this.#index - Math.floor(visible / 2), this.#choices.length - visible));
    const shown = style.isWrapped ? this.#choices : this.#choices.slice(start, start + visible);
    const first = style.isWrapped ? 0 : start;
    const widest = Math.min(Math.max(0, ...shown.map((each) => labelWidth(each))), Math.floor(columns / 2));
    const drawn = shown.map((choice, offset) => this.#drawChoice(choice, first + offset, { columns, widest, style }));
    return around(drawn, Math.max(0, this.#index - first), visible);
  }

  #drawChoice(
    choice: Choice<Value>,
    index: number,
    { columns, widest, style }: { readonly columns: number; readonly widest: number; readonly style: ChoiceStyle },
  ): string[] {
    const { paint, isNumbered, isWrapped } = style;
    const number = isNumbered ? `${index + 1} ` : '';
    const lines =
      isWrapped || index === this.#index
        ? wrappedLines(choice, { number, widest, width: columns - 2, paint })
        : [cutLine(`${number}${lineOf(choice, widest, paint)}`, columns - 2)];
    return lines.map((each, at) =>
      index === this.#index ? `${at === 0 ? paint('cyan', '❯') : ' '} ${paint('bold', each)}` : `  ${each}`,
    );
  }
}

/** As many complete drawings as fit, around one of them. */
function around(drawings: readonly (readonly string[])[], place: number, rows: number): string[] {
  let [from, to] = [place, place + 1];
  const lines = (start: number, end: number): string[] => drawings.slice(start, end).flat();
  for (;;) {
    if (to < drawings.length && lines(from, to + 1).length <= rows) to++;
    else if (from > 0 && lines(from - 1, to).length <= rows) from--;
    else return lines(from, to).slice(0, rows);
  }
}

/** The label with its complete detail next to it, or below it if the line is too narrow. */
function wrappedLines<Value>(
  choice: Choice<Value>,
  { number, widest, width, paint }: { number: string; widest: number; width: number; paint: Paint },
): string[] {
  const name = `${number}${nameOf(choice, paint)}`;
  const { detail = '' } = choice;
  if (detail === '') return wrapWords(name, width);
  const indent = number.length + widest + 2;
  if (width - indent < leastDetail || textWidth(name) > indent - 2)
    return [...wrapWords(name, width), ...wrapWords(detail, width - 4).map((line) => `    ${paint('dim', line)}`)];
  return wrapWords(detail, width - indent).map(
    (line, index) => `${index === 0 ? `${padLine(name, indent - 2)}  ` : ' '.repeat(indent)}${paint('dim', line)}`,
  );
}

function labelWidth<Value>({ label, letter }: Choice<Value>): number {
  return textWidth(label) + (letter === undefined ? 0 : letter.length + 3);
}

function nameOf<Value>({ label, letter }: Choice<Value>, paint: Paint): string {
  return letter === undefined ? label : `${label} ${paint('dim', `(${letter})`)}`;
}

function lineOf<Value>(choice: Choice<Value>, widest: number, paint: Paint): string {
  const name = nameOf(choice, paint);
  const { detail } = choice;
  return detail === undefined || detail === ''
    ? name
    : `${padLine(cutLine(name, widest), widest)}  ${paint('dim', detail)}`;
}

const steps: Readonly<Record<string, number | undefined>> = {
  up: -1,
  'ctrl-p': -1,
  'shift-tab': -1,
  down: 1,
  'ctrl-n': 1,
  'ctrl-r': 1,
  tab: 1,
  pageup: -8,
  pagedown: 8,
  home: -Infinity,
  end: Infinity,
};
