import { RE2JS } from 're2js';

/** Longer patterns and texts are not evaluated. With these the worst takes tens of milliseconds. */
const longest = { pattern: 1_000, text: 2_000 };

/**
 * Whether a text matches a pattern of the agent's, anywhere in it, in time that grows only with their lengths. Undefined if it cannot be
 * told: the pattern is too long, broken, or needs what cannot be bounded (backreferences, lookaround). The agent checks again anyway.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (pattern.length > longest.pattern || text.length > longest.text) return undefined;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern)).matcher(text).find();
  } catch {
    return undefined;
  }
}
