import { stripVTControlCharacters } from 'node:util';

const longestLine = 500;

/** Stores the last lines of a server's output and log, without control characters. */
export class LineRing {
  readonly #capacity: number;
  readonly #lines: string[] = [];
  #rest = '';

  constructor(capacity = 50) {
    this.#capacity = capacity;
  }

  /** The stored lines, oldest first; the last one may be incomplete. */
  get lines(): readonly string[] {
    const rest = clean(this.#rest);
    return rest === '' ? this.#lines : [...this.#lines, rest];
  }

  /** Adds text, cut anywhere. */
  append(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-2 * longestLine);
    for (const line of lines.slice(-this.#capacity)) this.#keep(line);
  }

  #keep(line: string): void {
    const cleaned = clean(line);
    if (cleaned === '') return;
    this.#lines.push(cleaned);
    if (this.#lines.length > this.#capacity) this.#lines.shift();
  }
}

function clean(line: string): string {
  const text = stripVTControlCharacters(line)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}
