import type { ElicitationSchema } from '@turnwire/protocol';
import type { ChoiceField, ChoicesField, FormField, FormProblem, NumberField, TextField } from './form-field.ts';
import { formFields } from './form-fields.ts';
import { matchesPattern } from './pattern-match.ts';
import { missedFormat } from './text-format.ts';

/**
 * The invalid values of a form, at most one problem per field; empty if it may be sent. `undefined` and `null` mean that a value is
 * missing. Never throws for any values, and patterns of the agent cannot make it slow.
 */
export function checkForm(
  schema: ElicitationSchema,
  values: Readonly<Record<string, unknown>>,
): readonly FormProblem[] {
  const fields = formFields(schema);
  const keys = new Set(fields.map(({ key }) => key));
  const wrong = fields.map((field) => checkField(field, Object.hasOwn(values, field.key) ? values[field.key] : null));
  const surplus = Object.keys(values).filter((key) => !keys.has(key) && values[key] !== undefined);
  return [
    ...wrong.filter((problem) => problem !== undefined),
    ...surplus.map((key) => ({ key, message: `${key} is not a field of this form` })),
  ];
}

/** The problem with the value of one field; undefined if it is valid. */
export function checkField(field: FormField, value: unknown): FormProblem | undefined {
  const isGiven = value !== undefined && value !== null;
  const message = isGiven ? problemOf(field, value) : missing(field);
  return message === undefined ? undefined : { key: field.key, message: `${field.title} ${message}` };
}

function missing(field: FormField): string | undefined {
  if (!field.isRequired) return undefined;
  return field.type === 'unknown' ? unfillable(field.kind) : 'must be filled in';
}

function problemOf(field: FormField, value: unknown): string | undefined {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : 'must be a text';
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be yes or no';
    case 'choice':
      return isOffered(field, value) ? undefined : `must be one of: ${offered(field)}`;
    case 'choices':
      return choicesProblem(field, value);
    case 'unknown':
      return unfillable(field.kind);
  }
}

function textProblem({ minLength, maxLength, format, pattern }: TextField, text: string): string | undefined {
  const length = Array.from(text).length;
  if (minLength !== undefined && length < minLength) return `must have at least ${counted(minLength, 'character')}`;
  if (maxLength !== undefined && length > maxLength) return `must have at most ${counted(maxLength, 'character')}`;
  const wanted = format === undefined ? undefined : missedFormat(format, text);
  if (wanted !== undefined) return `must be ${wanted}`;
  const isRefused = pattern !== undefined && matchesPattern(pattern, text) === false;
  return isRefused ? `must match the pattern ${pattern}` : undefined;
}

function numberProblem({ type, minimum, maximum }: NumberField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (type === 'integer' && !Number.isSafeInteger(value)) return 'must be a whole number';
  if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
  return maximum !== undefined && value > maximum ? `must be ${maximum} or less` : undefined;
}

function choicesProblem(field: ChoicesField, value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of choices';
  const { minItems, maxItems } = field;
  if (!value.every((item) => isOffered(field, item))) return `may hold only: ${offered(field)}`;
  if (minItems !== undefined && value.length < minItems) return `needs at least ${counted(minItems, 'choice')}`;
  return maxItems !== undefined && value.length > maxItems ? `takes at most ${counted(maxItems, 'choice')}` : undefined;
}

function isOffered({ choices }: ChoiceField | ChoicesField, value: unknown): boolean {
  return choices.some((choice) => choice.value === value);
}

function offered({ choices }: ChoiceField | ChoicesField): string {
  return choices.map(({ value }) => value).join(', ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function unfillable(kind: string): string {
  return `is a field of an unknown kind (${kind}); decline the form, or update this program`;
}
