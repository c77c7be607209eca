import type { LanguageModelV3TextPart } from '@ai-sdk/provider';
import { attributes, enclosed } from './enclosed.ts';

/** The longest attachment a model is shown, in UTF-16 units. */
const longest = 64 * 1024;

/** The name of an attachment. Its content follows in a separate part, or is unknown. */
export function attachment(about: Readonly<Record<string, string>>): LanguageModelV3TextPart {
  return { type: 'text', text: `<attachment${attributes(about)} />` };
}

/** An attached text. A long one is cut, with a note. */
export function textAttachment(about: Readonly<Record<string, string>>, text: string): LanguageModelV3TextPart {
  const left = text.length - longest;
  const shown = left > 0 ? `${text.slice(0, longest)}\n[Cut: ${left} more characters follow.]` : text;
  return { type: 'text', text: enclosed('attachment', about, shown) };
}

/** An attachment that could not be shown. */
export function omitted(about: Readonly<Record<string, string>>, why: string): LanguageModelV3TextPart {
  return attachment({ ...about, omitted: why });
}
