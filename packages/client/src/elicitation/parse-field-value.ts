import type { ElicitationContentValue } from '@turnwire/protocol';
import { checkField } from './check-form.ts';
import type { FormChoice, FormField } from './form-field.ts';

/** The value of a typed text, or the reason why it is invalid, as a sentence. */
export type ParsedField =
  | { readonly ok: true; readonly value: ElicitationContentValue | undefined }
  | { readonly ok: false; readonly message: string };

/**
 * Parses typed text for a field. An empty text is a missing value. Yes and no have several spellings; a choice is named by its value, its
 * title or its number from 1; several choices are separated by commas.
 */
export function parseFieldValue(field: FormField, text: string): ParsedField {
  const value = text.trim() === '' ? undefined : valueOf(field, text);
  const problem = checkField(field, value);
  return problem ? { ok: false, message: problem.message } : { ok: true, value };
}

/** The parsed value, or the text itself if it does not parse, which the check then rejects. */
function valueOf(field: FormField, text: string): ElicitationContentValue {
  switch (field.type) {
    case 'number':
    case 'integer':
      return numberOf(text.trim()) ?? text;
    case 'boolean':
      return words.get(text.trim().toLowerCase()) ?? text;
    case 'choice':
      return choiceOf(field.choices, text);
    case 'choices':
      return text.split(',').map((part) => choiceOf(field.choices, part));
    case 'text':
    case 'unknown':
      return text;
  }
}

const words: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'y', 'true', 'on', '1'].map((word): [string, boolean] => [word, true]),
  ...['no', 'n', 'false', 'off', '0'].map((word): [string, boolean] => [word, false]),
]);

function numberOf(text: string): number | undefined {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

function choiceOf(choices: readonly FormChoice[], text: string): string {
  const said = text.trim();
  const named =
    choices.find(({ value }) => value === said) ??
    choices.find(({ title }) => title.toLowerCase() === said.toLowerCase()) ??
    (/^\d+$/.test(said) ? choices[Number(said) - 1] : undefined);
  return named?.value ?? said;
}
