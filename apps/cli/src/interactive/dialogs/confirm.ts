import type { Paint } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import type { Drawing, Size } from '../drawing.ts';
import type { Key } from '../key.ts';
import { ChoiceList } from './choice-list.ts';
import type { Dialog } from './dialog.ts';

/** A question with yes and no. Esc closes it with the answer undefined. */
export class Confirm implements Dialog {
  readonly #question: string;
  readonly #answer: (isYes: boolean | undefined) => void;
  readonly #choices: ChoiceList<boolean>;

  constructor(
    question: string,
    labels: { readonly yes: string; readonly no: string },
    answer: (isYes: boolean | undefined) => void,
  ) {
    this.#question = question;
    this.#answer = answer;
    this.#choices = new ChoiceList([
      { label: labels.yes, letter: 'y', value: true },
      { label: labels.no, letter: 'n', value: false },
    ]);
  }

  draw(size: Size, paint: Paint): Drawing {
    const question = wrapWords(this.#question, size.columns - 2);
    const lines = question.map((line, index) =>
      index === 0 ? `${paint('yellow', '?')} ${paint('bold', line)}` : `  ${line}`,
    );
    return { lines: [...lines, ...this.#choices.draw(size, { paint, isNumbered: true })] };
  }

  key(key: Key): void {
    if (key.chord === 'escape') return this.#answer(undefined);
    const choice = key.chord === 'return' ? this.#choices.marked : this.#choices.named(key);
    if (choice) this.#answer(choice.value);
    else this.#choices.move(key);
  }

  paste(): void {}
}
