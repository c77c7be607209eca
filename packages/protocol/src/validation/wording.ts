/** A value in general terms: its type, never itself. */
export function typeOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A string that is not one of those expected. */
export function otherString(value: unknown): string {
  return typeof value === 'string' ? 'another string' : typeOf(value);
}

export function notText(value: unknown): string {
  return value === '' ? 'an empty string' : typeOf(value);
}

export function notAPath(value: unknown): string {
  return typeof value === 'string' && value !== '' ? 'a relative path' : notText(value);
}

export function notAnInteger(value: unknown): string {
  if (typeof value !== 'number') return typeOf(value);
  return Number.isInteger(value) ? 'a number out of range' : 'a fraction';
}

export function integerWithin(minimum: number, maximum: number): string {
  return maximum === Infinity ? `an integer of ${minimum} or more` : `an integer from ${minimum} to ${maximum}`;
}

/** `"a", "b" or "c"`. */
export function oneOf(values: readonly string[]): string {
  return alternatives(values.map((value) => `"${value}"`));
}

export function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** The path of something in a member of an object or a list, as seen from the whole. */
export function pathBelow(member: string | number, path: string): string {
  const isPlain = typeof member === 'string' && /^[\w$-]{1,64}$/.test(member);
  const head = isPlain ? member : `[${typeof member === 'number' ? member : JSON.stringify(member.slice(0, 64))}]`;
  return path === '' || path.startsWith('[') ? head + path : `${head}.${path}`;
}
