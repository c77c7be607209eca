import { RE2JS } from 're2js';

/** Longer patterns and texts are not evaluated. Within these limits the worst case takes tens of milliseconds. */
const longest = { pattern: 1_000, text: 2_000 };

/**
 * Whether a pattern of the agent matches anywhere in a text, in linear time. Undefined if that is unknown: the pattern is too long,
 * invalid, or needs features without a time limit (backreferences, lookaround). The agent checks again anyway.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (pattern.length > longest.pattern || text.length > longest.text) return undefined;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern)).matcher(text).find();
  } catch {
    return undefined;
  }
}
