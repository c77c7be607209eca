import type { Answer, Question } from '@turnwire/client/permissions';
import type { ToolCallEntry } from '@turnwire/client/thread';
import type { PermissionOption } from '@turnwire/protocol';
import { visibleText } from '../../terminal/clean-text.ts';
import type { Paint } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import { type Drawing, type Size, stack } from '../drawing.ts';
import type { Key } from '../key-reader.ts';
import { ChoiceList } from './choice-list.ts';
import type { Dialog } from './dialog.ts';
import { LineInput } from './line-input.ts';
import { type PermissionChoice, permissionChoices } from './permission-choices.ts';
import { permissionDetail } from './permission-detail.ts';
import { ScrollBox } from './scroll-box.ts';

/** Lines of what would be done that are always there, however small the screen. */
const leastDetail = 4;

/** How a question ends. */
export interface PermissionReplies {
  /** The answer, and what to tell the agent besides, if anything. */
  readonly answer: (answer: Answer, message?: string) => void;
  /** Stops the turn. */
  readonly stop: () => void;
}

/**
 * Asks whether a tool may run: the whole diff or the exact command, why it is asked, and what each answer means. Nothing is marked at
 * first, and what is no answer begins a word that is dropped to its end: a prompt typed by mistake never says yes.
 */
export class PermissionPrompt implements Dialog {
  readonly #question: Question;
  readonly #call: ToolCallEntry | undefined;
  readonly #replies: PermissionReplies;
  readonly #choices: ChoiceList<PermissionChoice>;
  readonly #scroll = new ScrollBox();
  #drawn: { readonly columns: number; readonly lines: readonly string[] } | undefined;
  #stray: 'nothing' | 'word' | 'enter' = 'nothing';
  #message: { readonly option: PermissionOption; readonly input: LineInput } | undefined;

  constructor(question: Question, call: ToolCallEntry | undefined, replies: PermissionReplies) {
    this.#question = question;
    this.#call = call;
    this.#replies = replies;
    this.#choices = new ChoiceList(permissionChoices(question));
    this.#choices.unmark();
  }

  draw(size: Size, paint: Paint): Drawing {
    const foot = this.#foot(size, paint);
    const detail = this.#scroll.draw(
      this.#detail(size.columns, paint),
      Math.max(2, size.rows - foot.lines.length),
      paint,
    );
    return stack({ lines: detail }, foot);
  }

  key(key: Key): void {
    if (this.#message) return this.#messageKey(key, this.#message);
    if (key.chord === 'escape') return this.#replies.stop();
    if (this.#scroll.key(key)) return;
    if (key.chord === 'return') return this.#enter();
    const choice = this.#stray === 'word' ? undefined : this.#choices.named(key);
    if (choice) this.#choose(choice.value);
    else if (this.#choices.move(key)) this.#stray = 'nothing';
    else if (key.text !== '') this.#drop();
  }

  paste(text: string): void {
    if (this.#message) this.#message.input.paste(text);
    else this.#drop();
  }

  #enter(): void {
    const choice = this.#choices.marked;
    if (choice) this.#choose(choice.value);
    else this.#stray = 'enter';
  }

  /** What is no answer was meant for something else, and so is what follows it up to Enter. */
  #drop(): void {
    this.#stray = 'word';
    this.#choices.unmark();
  }

  #choose({ option, remember, tellsAgent }: PermissionChoice): void {
    if (tellsAgent) this.#message = { option, input: new LineInput() };
    else this.#replies.answer({ option, ...(remember && { remember }) });
  }

  #messageKey(key: Key, { option, input }: { readonly option: PermissionOption; readonly input: LineInput }): void {
    if (key.chord === 'escape') this.#message = undefined;
    else if (key.chord === 'return') this.#replies.answer({ option }, input.text.trim());
    else input.key(key);
  }

  #foot(size: Size, paint: Paint): Drawing {
    const reason = wrapWords(visibleText(this.#question.reason), size.columns - 2).map((line) =>
      paint('dim', `  ${line}`),
    );
    if (this.#message) {
      const label = { lines: [...reason, '  Deny, and tell the agent (Enter sends, Esc goes back):'] };
      return stack(label, this.#message.input.draw(paint('cyan', '› '), 2, size.columns));
    }
    const room = Math.max(2, size.rows - reason.length - 1 - leastDetail);
    const choices = this.#choices.draw(
      { columns: size.columns, rows: Math.min(room, this.#choices.length) },
      { paint, isNumbered: true },
    );
    return { lines: [...reason, ...choices, this.#hint(paint)] };
  }

  #hint(paint: Paint): string {
    if (this.#stray === 'nothing') return paint('dim', '  y, n, a number, or ↑↓ Enter · Esc stops the turn');
    const text =
      this.#stray === 'word' ? 'that is no answer: Enter, then answer' : 'nothing is chosen: y, n, a number, or ↑↓';
    return paint('yellow', `  ${text}`);
  }

  #detail(columns: number, paint: Paint): readonly string[] {
    if (this.#drawn?.columns !== columns)
      this.#drawn = { columns, lines: permissionDetail(this.#question, this.#call, { width: columns, paint }) };
    return this.#drawn.lines;
  }
}
