import type { Choice } from '../../questions/choice.ts';
import type { Paint } from '../../terminal/paint.ts';
import { cutLine, padLine, textWidth } from '../../terminal/text-width.ts';
import type { Size } from '../drawing.ts';
import type { Key } from '../key-reader.ts';

/** How the choices are shown. */
interface ChoiceLook {
  readonly paint: Paint;
  /** Whether choices have numbers that select them. */
  readonly isNumbered: boolean;
}

/** A list of choices, one of which may be marked. */
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

  /** Shows other choices; the mark goes to the first. */
  replace(choices: readonly Choice<Value>[]): void {
    this.#choices = choices;
    this.#index = 0;
  }

  /** Updates the choices; the mark stays where it is. */
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

  /** The choice a digit or a letter names. */
  named({ text }: Key): Choice<Value> | undefined {
    if (/^[1-9]$/.test(text)) return this.#choices[Number(text) - 1];
    return text === '' ? undefined : this.#choices.find(({ letter }) => letter === text.toLowerCase());
  }

  draw({ columns, rows }: Size, { paint, isNumbered }: ChoiceLook): string[] {
    const visible = Math.max(1, rows);
    const start = Math.max(0, Math.min(this.#index - Math.floor(visible / 2), this.#choices.length - visible));
    const shown = this.#choices.slice(start, start + visible);
    const widest = Math.min(Math.max(0, ...shown.map(({ label }) => textWidth(label))), Math.floor(columns / 2));
    return shown.map((choice, offset) => {
      const index = start + offset;
      const number = isNumbered ? `${index + 1} ` : '';
      const line = cutLine(`${number}${lineOf(choice, widest, paint)}`, columns - 2);
      return index === this.#index ? `${paint('cyan', '❯')} ${paint('bold', line)}` : `  ${line}`;
    });
  }
}

function lineOf<Value>({ label, detail, letter }: Choice<Value>, widest: number, paint: Paint): string {
  const name = letter === undefined ? label : `${label} ${paint('dim', `(${letter})`)}`;
  return detail === undefined || detail === '' ? name : `${padLine(name, widest)}  ${paint('dim', detail)}`;
}

const steps: Readonly<Record<string, number | undefined>> = {
  up: -1,
  'ctrl-p': -1,
  'shift-tab': -1,
  down: 1,
  'ctrl-n': 1,
  tab: 1,
  pageup: -8,
  pagedown: 8,
  home: -Infinity,
  end: Infinity,
};
