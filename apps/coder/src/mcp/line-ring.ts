import { stripVTControlCharacters } from 'node:util';

const longestLine = 500;

/** Keeps the last lines of what a server prints or logs, without control characters. */
export class LineRing {
  readonly #capacity: number;
  readonly #lines: string[] = [];
  #rest = '';

  constructor(capacity = 50) {
    this.#capacity = capacity;
  }

  /** The lines kept, oldest first; the last one may not be whole yet. */
  get lines(): readonly string[] {
    const rest = clean(this.#rest);
    return rest === '' ? this.#lines : [...this.#lines, rest];
  }

  /** Takes text as it comes, lines torn anywhere. */
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
