/**
 * True if the value nests deeper than the limit. Depth `n` takes at least `2n` characters, so shorter text needs only one comparison. Most
 * messages are that short.
 */
export function isTooDeep(value: unknown, text: string, limit: number): boolean {
  if (text.length < 2 * limit) return false;
  try {
    return exceeds(value, limit);
  } catch {
    return true; // The stack ended before the limit did.
  }
}

/** Recursion stops at the limit, so hostile nesting cannot exhaust the stack. */
function exceeds(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) return value.some((item) => exceeds(item, left - 1));
  for (const key in value) if (exceeds((value as Record<string, unknown>)[key], left - 1)) return true;
  return false;
}
