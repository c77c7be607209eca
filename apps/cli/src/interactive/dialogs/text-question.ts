import type { Paint } from '../../terminal/paint.ts';
import { cutLine } from '../../terminal/text-width.ts';
import { type Drawing, type Size, stack } from '../drawing.ts';
import type { Key } from '../key.ts';
import type { Dialog } from './dialog.ts';
import { LineInput } from './line-input.ts';

/** A question with a line of text as its answer. */
export class TextQuestion implements Dialog {
  readonly #question: string;
  readonly #answer: (text: string | undefined) => void;
  readonly #input = new LineInput();

  constructor(question: string, answer: (text: string | undefined) => void) {
    this.#question = question;
    this.#answer = answer;
  }

  draw({ columns }: Size, paint: Paint): Drawing {
    const head = { lines: [cutLine(paint('bold', this.#question), columns)] };
    const foot = { lines: [paint('dim', cutLine('Enter confirms · Esc goes back', columns))] };
    return stack(head, this.#input.draw(paint('cyan', '› '), 2, columns), foot);
  }

  key(key: Key): void {
    if (key.chord === 'escape') return this.#answer(undefined);
    if (key.chord === 'return') return this.#answer(this.#input.text);
    this.#input.key(key);
  }

  paste(text: string): void {
    this.#input.paste(text);
  }
}
