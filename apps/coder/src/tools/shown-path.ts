/** A path for a line of its own: one with control characters is quoted, with escapes. */
export function shownPath(path: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path;
}
