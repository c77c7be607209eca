import type { QuestionChoice, QuestionView } from '@turnwire/permissions';
import { answerChoices, type ChosenAnswer, type UserAnswer } from '../../questions/answer-choices.ts';
import { type QuestionLines, questionLines } from '../../questions/question-lines.ts';
import type { Paint } from '../../terminal/paint.ts';
import { type Drawing, type Size, stack } from '../drawing.ts';
import type { Key } from '../key.ts';
import { ChoiceList } from './choice-list.ts';
import type { Dialog } from './dialog.ts';
import { LineInput } from './line-input.ts';
import { ScrollBox } from './scroll-box.ts';

/** The number of lines about the action that are always shown, even on a small screen. */
const leastDetail = 4;

/** The callbacks of a question. */
export interface PermissionReplies {
  readonly answer: (answer: UserAnswer) => void;
  /** Stops the turn. */
  readonly stop: () => void;
}

/**
 * Asks whether a tool may run. Shows everything the tool would do, why the user is asked, and the meaning of each answer. Initially no choice
 * is marked. A key that is not an answer starts a word that is dropped up to Enter, so that a prompt typed by mistake never answers yes.
 * Choices that allow more than one call have no letter.
 */
export class PermissionPrompt implements Dialog {
  readonly #view: QuestionView;
  readonly #replies: PermissionReplies;
  readonly #folder: string;
  readonly #choices: ChoiceList<ChosenAnswer>;
  /** The keys that answer at once. */
  readonly #letters: readonly string[];
  readonly #scroll = new ScrollBox();
  #drawn: { readonly columns: number; readonly lines: QuestionLines } | undefined;
  #stray: 'nothing' | 'word' | 'enter' | 'unseen' = 'nothing';
  #reason: { readonly choice: QuestionChoice; readonly input: LineInput } | undefined;

  /** @param folder paths inside this folder are shown relative to it */
  constructor(view: QuestionView, replies: PermissionReplies, folder: string) {
    this.#view = view;
    this.#folder = folder;
    this.#replies = replies;
    const choices = answerChoices(view);
    this.#letters = choices.flatMap(({ letter }) => letter ?? []);
    this.#choices = new ChoiceList(choices);
    this.#choices.unmark();
  }

  draw(size: Size, paint: Paint): Drawing {
    const foot = this.#foot(size, paint);
    const { heading, sections } = this.#lines(size.columns, paint);
    const free = Math.max(2, size.rows - foot.lines.length);
    const detail = this.#scroll.draw([...heading, ...sections.flat()], free, paint);
    return stack({ lines: detail }, foot);
  }

  key(key: Key): void {
    if (this.#reason) return this.#reasonKey(key, this.#reason);
    if (key.chord === 'escape') return this.#replies.stop();
    if (this.#scroll.key(key)) {
      if (this.#stray === 'unseen') this.#stray = 'nothing';
      return;
    }
    if (key.chord === 'return') return this.#enter();
    const choice = this.#stray === 'word' ? undefined : this.#choices.lettered(key);
    if (choice) this.#choose(choice.value);
    else if (this.#choices.move(key)) this.#stray = 'nothing';
    else if (key.text !== '') this.#drop();
  }

  paste(text: string): void {
    if (this.#reason) this.#reason.input.paste(text);
    else this.#drop();
  }

  #enter(): void {
    const choice = this.#choices.marked;
    if (choice) this.#choose(choice.value);
    else this.#stray = 'enter';
  }

  /** Drops a key that is not an answer, and the following keys up to Enter, because they were not meant for the question. */
  #drop(): void {
    this.#stray = 'word';
    this.#choices.unmark();
  }

  #choose({ choice, hasReason }: ChosenAnswer): void {
    if (choice.kind.startsWith('allow') && !this.#hasShownCommand) this.#stray = 'unseen';
    else if (hasReason) this.#reason = { choice, input: new LineInput() };
    else this.#replies.answer({ choice });
  }

  /** Whether every line of the command has been on the screen. */
  get #hasShownCommand(): boolean {
    if (!this.#drawn) return false;
    const { heading, sections } = this.#drawn.lines;
    const [command = []] = sections;
    return command.length === 0 || this.#scroll.seen >= heading.length + command.length;
  }

  #reasonKey(key: Key, { choice, input }: { readonly choice: QuestionChoice; readonly input: LineInput }): void {
    if (key.chord === 'escape') this.#reason = undefined;
    else if (key.chord === 'return') this.#replies.answer({ choice, feedback: input.text.trim() });
    else input.key(key);
  }

  #foot(size: Size, paint: Paint): Drawing {
    const { reason } = this.#lines(size.columns, paint);
    if (this.#reason) {
      const label = { lines: [...reason, '  Why you reject it, for the agent (Enter rejects, Esc goes back):'] };
      return stack(label, this.#reason.input.draw(paint('cyan', '› '), 2, size.columns));
    }
    const free = Math.max(2, size.rows - reason.length - 1 - leastDetail);
    const choices = this.#choices.draw(
      { columns: size.columns, rows: free },
      { paint, isNumbered: false, isWrapped: true },
    );
    return { lines: [...reason, ...choices, this.#hint(paint)] };
  }

  #hint(paint: Paint): string {
    const keys = [...this.#letters, 'or ↑↓ Enter'].join(', ').replace(/^or /, '');
    if (this.#stray === 'nothing') return paint('dim', `  ${keys} · Esc stops the turn`);
    return paint('yellow', `  ${strayHints[this.#stray]}`);
  }

  #lines(columns: number, paint: Paint): QuestionLines {
    if (this.#drawn?.columns !== columns) {
      this.#scroll.forget();
      this.#drawn = { columns, lines: questionLines(this.#view, { width: columns, paint, folder: this.#folder }) };
    }
    return this.#drawn.lines;
  }
}

const strayHints = {
  word: 'not an answer; press Enter to clear it, then choose',
  enter: 'nothing is chosen: press a key shown in brackets, or choose with ↑↓',
  unseen: 'first scroll: PgDn shows the rest',
} as const;
