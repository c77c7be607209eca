const slash = 47;
const backslash = 92;
const colon = 58;

/** Whether a value is an absolute path: `/…` (POSIX), `C:\…` or `C:/…` (Windows), `\\server\…` (UNC). */
export function isAbsolutePath(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const first = value.charCodeAt(0);
  if (first === slash) return true;
  const second = value.charCodeAt(1);
  if (first === backslash) return second === backslash;
  return second === colon && isLetter(first) && isSeparator(value.charCodeAt(2));
}

function isLetter(code: number): boolean {
  const lowerCase = code | 32;
  return lowerCase >= 97 && lowerCase <= 122;
}

function isSeparator(code: number): boolean {
  return code === slash || code === backslash;
}
