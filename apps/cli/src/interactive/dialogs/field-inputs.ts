import {
  checkField,
  type ChoicesField,
  type FormField,
  type ParsedField,
  parseFieldValue,
} from '@turnwire/client/elicitation';
import type { ElicitationContentValue } from '@turnwire/protocol';
import { cleanLine } from '../../terminal/clean-text.ts';
import type { Paint } from '../../terminal/paint.ts';
import type { Drawing, Size } from '../drawing.ts';
import type { Key } from '../key.ts';
import { ChoiceList } from './choice-list.ts';
import type { Choice } from '../../questions/choice.ts';
import { LineInput } from './line-input.ts';

/** The input of a form field. */
export interface FieldInput {
  /** Marks the choice of a digit or a letter. Returns false for other keys, and for inputs without choices. */
  pick(key: Key): boolean;
  /** A hint about its keys or the expected value. */
  readonly hint: string;
  key(key: Key): void;
  paste(text: string): void;
  draw(size: Size, paint: Paint): Drawing;
  value(): ParsedField;
}

/**
 * Creates the input for a field with its current value.
 * @param none the label of the choice that leaves an optional field out. Default: `(leave out)`
 */
export function fieldInput(
  field: FormField,
  value: ElicitationContentValue | undefined,
  none: string = '(leave out)',
): FieldInput {
  switch (field.type) {
    case 'boolean':
      return new OneInput(field, value, [...yesAndNo, ...leftOut(field, none)]);
    case 'choice':
      return new OneInput(field, value, [...choicesOf(field), ...leftOut(field, none)]);
    case 'choices':
      return new ManyInput(field, Array.isArray(value) ? value : []);
    default:
      return new TextInput(field, value);
  }
}

const yesAndNo: readonly Choice<boolean>[] = [
  { label: 'yes', letter: 'y', value: true },
  { label: 'no', letter: 'n', value: false },
];

function leftOut(field: FormField, label: string): readonly Choice<undefined>[] {
  return field.isRequired ? [] : [{ label, value: undefined }];
}

/** The input for a text or a number. */
class TextInput implements FieldInput {
  readonly hint: string;
  readonly #field: FormField;
  readonly #input: LineInput;

  constructor(field: FormField, value: ElicitationContentValue | undefined) {
    this.#field = field;
    this.#input = new LineInput(value === undefined ? '' : String(value));
    this.hint =
      field.type === 'unknown' ? `a kind of field this version does not know: ${cleanLine(field.kind)}` : kindOf(field);
  }

  key(key: Key): void {
    this.#input.key(key);
  }

  pick(): boolean {
    return false;
  }

  paste(text: string): void {
    this.#input.paste(text);
  }

  draw({ columns }: Size, paint: Paint): Drawing {
    return this.#input.draw(paint('cyan', '› '), 2, columns);
  }

  value(): ParsedField {
    return parseFieldValue(this.#field, this.#input.text);
  }
}

/** The input for one of several choices. */
class OneInput implements FieldInput {
  readonly hint = '↑↓';
  readonly #field: FormField;
  readonly #list: ChoiceList<ElicitationContentValue | undefined>;

  constructor(
    field: FormField,
    value: ElicitationContentValue | undefined,
    choices: readonly Choice<ElicitationContentValue | undefined>[],
  ) {
    this.#field = field;
    this.#list = new ChoiceList(choices, (each) => each === value);
  }

  key(key: Key): void {
    if (!this.#list.move(key)) this.pick(key);
  }

  pick(key: Key): boolean {
    return this.#list.markNamed(key);
  }

  paste(): void {}

  draw(size: Size, paint: Paint): Drawing {
    return { lines: this.#list.draw(size, { paint, isNumbered: true, isWrapped: true }) };
  }

  value(): ParsedField {
    return checked(this.#field, this.#list.marked?.value);
  }
}

/** The input for several choices of a list. */
class ManyInput implements FieldInput {
  readonly hint = 'Space selects';
  readonly #field: FormField & ChoicesField;
  readonly #chosen: Set<string>;
  readonly #list: ChoiceList<string>;

  constructor(field: FormField & ChoicesField, value: readonly string[]) {
    this.#field = field;
    this.#chosen = new Set(value);
    this.#list = new ChoiceList(this.#choices());
  }

  key(key: Key): void {
    const value = this.#list.marked?.value;
    if (key.chord !== 'space' || value === undefined) return void this.#list.move(key);
    if (!this.#chosen.delete(value)) this.#chosen.add(value);
    this.#list.refresh(this.#choices());
  }

  pick(): boolean {
    return false;
  }

  paste(): void {}

  draw(size: Size, paint: Paint): Drawing {
    return { lines: this.#list.draw(size, { paint, isNumbered: false }) };
  }

  value(): ParsedField {
    const values = this.#field.choices.map(({ value }) => value).filter((value) => this.#chosen.has(value));
    return checked(this.#field, values.length === 0 && !this.#field.isRequired ? undefined : values);
  }

  #choices(): Choice<string>[] {
    return choicesOf(this.#field).map((choice) => ({
      ...choice,
      label: `${this.#chosen.has(choice.value) ? '[x]' : '[ ]'} ${choice.label}`,
    }));
  }
}

function checked(field: FormField, value: ElicitationContentValue | undefined): ParsedField {
  const problem = checkField(field, value);
  return problem ? { ok: false, message: problem.message } : { ok: true, value };
}

function choicesOf({ choices }: Pick<ChoicesField, 'choices'>): Choice<string>[] {
  return choices.map(({ value, title, description }) => ({
    label: cleanLine(title) || cleanLine(value),
    detail: cleanLine(description ?? ''),
    value,
  }));
}

function kindOf(field: FormField): string {
  if (field.type === 'integer') return 'a whole number';
  if (field.type === 'number') return 'a number';
  return field.type === 'text' && field.format !== undefined ? cleanLine(field.format) : 'text';
}
