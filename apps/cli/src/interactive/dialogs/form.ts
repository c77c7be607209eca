import { checkField, type FormField, formDefaults, formFields } from '@turnwire/client/elicitation';
import type { CreateElicitationResponse, ElicitationContentValue, ElicitationSchema } from '@turnwire/protocol';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import type { Paint } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import { type Drawing, type Size, stack } from '../drawing.ts';
import type { Key } from '../key.ts';
import { ChoiceList } from './choice-list.ts';
import type { Choice } from '../../questions/choice.ts';
import type { Dialog } from './dialog.ts';
import { type FieldInput, fieldInput } from './field-inputs.ts';

/** The effect of a line of the review. */
type Step = { readonly field: FormField } | { readonly action: 'accept' | 'decline' | 'cancel' };

/** A form request of the agent. */
export interface FormOptions {
  readonly message: string;
  readonly schema: ElicitationSchema;
  readonly onAnswer: (response: CreateElicitationResponse) => void;
}

/**
 * Asks for the fields of a form one after another, then shows all of them for review before it sends anything. A form with one question,
 * which may accept other words in addition to its choices, is answered in one step.
 */
export class Form implements Dialog {
  readonly #options: FormOptions;
  readonly #fields: readonly FormField[];
  readonly #isOneQuestion: boolean;
  readonly #values = new Map<string, ElicitationContentValue | undefined>();
  readonly #review: ChoiceList<Step>;
  #index = 0;
  #input: FieldInput | undefined;
  #problem: string | undefined;
  #wasReviewed = false;

  constructor(options: FormOptions) {
    this.#options = options;
    this.#fields = formFields(options.schema);
    this.#isOneQuestion = isOneQuestion(this.#fields);
    for (const [key, value] of Object.entries(formDefaults(options.schema))) this.#values.set(key, value);
    this.#review = new ChoiceList<Step>([]);
    this.#show(0);
  }

  draw(size: Size, paint: Paint): Drawing {
    const message = wrapWords(cleanText(this.#options.message).trim(), size.columns - 2);
    const head = {
      lines: message.map((line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${paint('bold', line)}`),
    };
    const area = { columns: size.columns, rows: Math.max(2, size.rows - message.length) };
    return stack(head, this.#input ? this.#drawField(this.#input, area, paint) : this.#drawReview(area, paint));
  }

  key(key: Key): void {
    if (key.chord === 'escape') {
      // In a field, opens the review, where nothing has been sent; in the review, cancels.
      if (!this.#input) return this.#options.onAnswer({ action: 'cancel' });
      this.#show(this.#fields.length);
      return;
    }
    if (!this.#input) return this.#reviewKey(key);
    if (key.chord === 'shift-tab') return this.#show(Math.max(0, this.#index - 1));
    const isPicked = this.#isOneQuestion && this.#input.pick(key);
    if (key.chord === 'return' || isPicked) return this.#next(this.#input);
    this.#input.key(key);
    this.#problem = undefined;
  }

  paste(text: string): void {
    this.#input?.paste(text);
  }

  #next(input: FieldInput): void {
    const field = this.#fields[this.#index];
    if (!field) return;
    const result = input.value();
    if (!result.ok) return void (this.#problem = result.message);
    this.#values.set(field.key, result.value);
    const isAnswered = this.#isOneQuestion && (result.value !== undefined || this.#index === this.#fields.length - 1);
    if (isAnswered && this.#problems().length === 0) return this.#send();
    this.#show(this.#wasReviewed ? this.#fields.length : this.#index + 1);
  }

  #show(index: number): void {
    this.#index = index;
    this.#problem = undefined;
    const field = this.#fields[index];
    const next = this.#isOneQuestion ? this.#fields[index + 1] : undefined;
    this.#input = field && fieldInput(field, this.#marked(field), next && `${cleanLine(next.title)} …`);
    if (field) return;
    this.#wasReviewed = true;
    this.#review.refresh(this.#steps());
    if (this.#problems().length === 0) this.#review.replace(this.#steps().toSorted(sendFirst));
  }

  /** The current value. A single question starts at its first choice, because nothing is sent before Enter. */
  #marked(field: FormField): ElicitationContentValue | undefined {
    const value = this.#values.get(field.key);
    return value === undefined && this.#isOneQuestion && field.type === 'choice' ? field.choices[0]?.value : value;
  }

  #steps(): Choice<Step>[] {
    const problems = new Map(this.#problems().map(({ key, message }) => [key, message]));
    const fields = this.#fields.map((field): Choice<Step> => {
      const value = shown(field, this.#values.get(field.key));
      const problem = problems.get(field.key);
      return {
        label: cleanLine(field.title),
        detail: problem === undefined ? value : `! ${cleanLine(problem)}`,
        value: { field },
      };
    });
    const send: Choice<Step>[] = problems.size > 0 ? [] : [{ label: 'Send', value: { action: 'accept' } }];
    return [
      ...fields,
      ...send,
      { label: 'Decline', detail: 'reports to the agent that you refuse', value: { action: 'decline' } },
      { label: 'Cancel', detail: 'no answer', value: { action: 'cancel' } },
    ];
  }

  #problems(): { readonly key: string; readonly message: string }[] {
    return this.#fields.flatMap((field) => checkField(field, this.#values.get(field.key)) ?? []);
  }

  #reviewKey(key: Key): void {
    if (key.chord !== 'return') return void this.#review.move(key);
    const step = this.#review.marked?.value;
    if (!step) return;
    if ('field' in step) this.#show(this.#fields.indexOf(step.field));
    else if (step.action === 'accept') this.#send();
    else this.#options.onAnswer({ action: step.action });
  }

  #send(): void {
    this.#options.onAnswer({ action: 'accept', content: this.#content() });
  }

  #content(): Record<string, ElicitationContentValue> {
    const given = [...this.#values].filter(
      (entry): entry is [string, ElicitationContentValue] => entry[1] !== undefined,
    );
    return Object.fromEntries(given);
  }

  #drawField(input: FieldInput, size: Size, paint: Paint): Drawing {
    const field = this.#fields[this.#index] as FormField;
    const position = this.#isOneQuestion ? [] : [`${this.#index + 1} of ${this.#fields.length}`];
    const facts = [...position, ...(field.isRequired || this.#isOneQuestion ? [] : ['optional'])];
    const count = facts.length === 0 ? '' : ` ${paint('dim', `(${facts.join(', ')})`)}`;
    const title = wrapWords(`${paint('bold', cleanLine(field.title))}${count}`, size.columns);
    const about =
      field.description === undefined
        ? []
        : wrapWords(cleanLine(field.description), size.columns).map((line) => paint('dim', line));
    const problem =
      this.#problem === undefined
        ? []
        : wrapWords(cleanLine(this.#problem), size.columns).map((line) => paint('red', line));
    const enter = this.#isOneQuestion ? 'Enter sends' : 'Enter continues';
    const back = this.#index === 0 ? '' : ' · Shift-Tab goes back';
    const hint = paint(
      'dim',
      `${input.hint} · ${enter}${back} · Esc ${this.#isOneQuestion ? 'declines or cancels' : 'reviews'}`,
    );
    const rest = title.length + about.length + problem.length + 1;
    const body = input.draw({ columns: size.columns, rows: Math.max(1, size.rows - rest) }, paint);
    return stack({ lines: [...title, ...about] }, body, { lines: [...problem, hint] });
  }

  #drawReview({ columns, rows }: Size, paint: Paint): Drawing {
    const list = this.#review.draw({ columns, rows: rows - 2 }, { paint, isNumbered: false });
    return { lines: [paint('dim', 'Nothing is sent yet.'), ...list, paint('dim', '↑↓ Enter · Esc cancels')] };
  }
}

/** Whether a form is one question: one field, or a choice with an optional text. */
function isOneQuestion([first, second, ...rest]: readonly FormField[]): boolean {
  if (!first || rest.length > 0) return false;
  const isChoice = first.type === 'choice' || first.type === 'choices' || first.type === 'boolean';
  return !second || (isChoice && second.type === 'text' && !second.isRequired);
}

/** Puts Send first, so that it is marked in a complete form. */
function sendFirst(one: Choice<Step>, other: Choice<Step>): number {
  const rank = ({ value }: Choice<Step>): number => ('action' in value && value.action === 'accept' ? 0 : 1);
  return rank(one) - rank(other);
}

function shown(field: FormField, value: ElicitationContentValue | undefined): string {
  if (value === undefined) return '(left out)';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const nameOf = (each: string): string =>
    'choices' in field ? (field.choices.find((choice) => choice.value === each)?.title ?? each) : each;
  if (typeof value === 'string') return value === '' ? '(empty)' : cleanLine(nameOf(value));
  return typeof value === 'number'
    ? String(value)
    : value.map((each) => cleanLine(nameOf(each))).join(', ') || '(none)';
}
