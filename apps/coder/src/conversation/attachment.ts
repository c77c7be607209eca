import type { LanguageModelV3TextPart } from '@ai-sdk/provider';
import { attributes, enclosed } from './enclosed.ts';

/** UTF-16 units of an attachment a model is shown. */
const longest = 64 * 1024;

/** What is attached, named; its content follows in a part of its own, or is unknown. */
export function attachment(about: Readonly<Record<string, string>>): LanguageModelV3TextPart {
  return { type: 'text', text: `<attachment${attributes(about)} />` };
}

/** Text that is attached. One that is long is cut, and says so. */
export function textAttachment(about: Readonly<Record<string, string>>, text: string): LanguageModelV3TextPart {
  const left = text.length - longest;
  const shown = left > 0 ? `${text.slice(0, longest)}\n[Cut: ${left} more characters follow.]` : text;
  return { type: 'text', text: enclosed('attachment', about, shown) };
}

/** What is attached and could not be shown. */
export function omitted(about: Readonly<Record<string, string>>, why: string): LanguageModelV3TextPart {
  return attachment({ ...about, omitted: why });
}
