import { RE2JS } from 're2js';
import { ToolError } from '../tool-error.ts';
import type { TextQuery } from './file-engine.ts';

/** The position of the next match in a text, from an index on. */
export type TextMatcher = (text: string, from: number) => { readonly start: number; readonly end: number } | undefined;

/**
 * Finds matches in linear time, for any regular expression.
 * @throws ToolError for an invalid regular expression
 */
export function textMatcher({ text, regex = false, ignoreCase = false }: TextQuery): TextMatcher {
  if (!regex && !ignoreCase) return plainMatcher(text);
  const compiled = compile(
    regex ? text : RE2JS.quote(text),
    RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0),
  );
  return (where, from) => {
    const matcher = compiled.matcher(where);
    return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
  };
}

function plainMatcher(text: string): TextMatcher {
  return (where, from) => {
    const start = where.indexOf(text, from);
    return start === -1 ? undefined : { start, end: start + text.length };
  };
}

function compile(regex: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(regex, flags);
  } catch (error) {
    throw new ToolError(`Nothing was searched. The regular expression is invalid: ${String((error as Error).message)}`);
  }
}
