import { randomBytes } from 'node:crypto';

/**
 * JavaScript cannot represent all numbers above 2^53, and `JSON.parse` rounds them. A program that only forwards JSON must not round: another row
 * would be read, or deleted. Such integers therefore pass through it as strings with an unguessable prefix, and are written as numbers again.
 */
const mark = `\uE000${randomBytes(8).toString('hex')}:`;
/**
 * Longer integers are rounded. The limit is necessary because a regular expression over millions of digits exhausts the stack, which would end the
 * process.
 */
const maxDigits = 1_000;
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g');
const numberParts = '0123456789.eE+-';

/** JSON with a marked string for each integer that JavaScript would round. Text that is not JSON stays unchanged, or stays invalid. */
export function sheltered(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  const token = /"|-?\d/g;
  let text = '';
  let from = 0;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    if (found[0] === '"') {
      token.lastIndex = endOfString(json, found.index);
      continue;
    }
    token.lastIndex = endOfNumber(json, token.lastIndex);
    const number = json.slice(found.index, token.lastIndex);
    if (isRounded(number)) {
      text += `${json.slice(from, found.index)}"${mark}${number}"`;
      from = token.lastIndex;
    }
  }
  return from === 0 ? json : text + json.slice(from);
}

/** The same JSON with the original integers. */
export function restored(json: string): string {
  return json.includes(mark) ? json.replaceAll(marked, '$1') : json;
}

function isRounded(number: string): boolean {
  if (number.length < 16 || number.length > maxDigits) return false;
  return /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number));
}

/** @param start an index in a number. @returns the index after the number */
function endOfNumber(json: string, start: number): number {
  let end = start;
  while (numberParts.includes(json.charAt(end)) && end < json.length) end++;
  return end;
}

/** @param start the index of the opening quotation mark. @returns the index after the closing one */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return json.length;
}

/** An integer that JavaScript would round, as a value. Other code writes it to JSON as a string of its digits. */
export class ExactInteger {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  /** Its digits. */
  toString(): string {
    return this.#digits;
  }

  /** Its digits, as a string of JSON. */
  toJSON(): string {
    return this.#digits;
  }
}

/** A copy of a parsed value with an {@link ExactInteger} for each marked string. */
export function withExactIntegers(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith(mark)) return new ExactInteger(value.slice(mark.length));
  return mapped(value, withExactIntegers);
}

/** The same value with marked strings again, for `JSON.stringify` and {@link restored}. */
export function withMarkedIntegers(value: unknown): unknown {
  if (value instanceof ExactInteger) return mark + value.toString();
  return mapped(value, withMarkedIntegers);
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => change(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}
