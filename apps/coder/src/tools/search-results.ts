import type { FoundLine } from '../search/file-engine.ts';
import { shownPath } from './shown-path.ts';

/** The limits of the results. */
export interface ResultLimits {
  /** Matches to skip. */
  readonly offset: number;
  /** Matches to show. */
  readonly most: number;
  /** Show paths only: each file counts as one match. */
  readonly filesOnly?: boolean | undefined;
}

/** The longest shown part of a line, in UTF-16 units. */
const lineLimit = 300;
/** Context before a match in a line that is too long, in UTF-16 units. */
const before = 100;
const textLimit = 64 * 1024;

/** The results of a search, formatted. */
export class SearchResults {
  readonly #limits: ResultLimits;
  readonly #lines: string[] = [];
  #size = 0;
  #skipped = 0;
  #shown = 0;
  #isCut = false;

  constructor(limits: ResultLimits) {
    this.#limits = limits;
  }

  /** The number of shown matches. */
  get matches(): number {
    return this.#shown;
  }

  /** Whether there are more. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get text(): string {
    if (this.#shown === 0 && this.#skipped > 0) return `No more matches: there are ${this.#skipped}.`;
    const rest = this.#limits.offset + this.#shown;
    const cut = this.#isCut
      ? [`[Cut here: more than ${this.#shown} matches. For the next ones: offset ${rest}. Or search for a rarer text.]`]
      : [];
    return [...this.#lines, ...cut].join('\n');
  }

  /** Adds the matches of a file. Returns whether there is space for more. */
  add(path: string, lines: readonly FoundLine[]): boolean {
    const name = shownPath(path);
    return this.#limits.filesOnly ? this.#addFile(name) : this.#addLines(name, lines);
  }

  #addLines(name: string, lines: readonly FoundLine[]): boolean {
    const hasContext = lines.some(({ match }) => match === undefined);
    let [context, last]: [FoundLine[], number | undefined] = [[], undefined];
    for (const line of lines) {
      if (line.match === undefined) {
        context.push(line);
        continue;
      }
      const verdict = this.#judge();
      if (verdict === 'too many') return false;
      if (verdict === 'shown') last = this.#show(name, [...context, line], hasContext ? last : undefined);
      context = [];
    }
    if (last !== undefined) this.#show(name, context, last);
    return true;
  }

  /** Separates lines that do not follow the previous one directly. Returns the number of the last line. */
  #show(name: string, lines: readonly FoundLine[], last: number | undefined): number | undefined {
    let before = last;
    for (const each of lines) {
      if (before !== undefined && each.line !== before + 1) this.#push('--');
      this.#push(shownLine(name, each));
      before = each.line;
    }
    return before;
  }

  #addFile(name: string): boolean {
    const verdict = this.#judge();
    if (verdict === 'shown') this.#push(name);
    return verdict !== 'too many';
  }

  #judge(): 'skipped' | 'shown' | 'too many' {
    if (this.#skipped < this.#limits.offset) {
      this.#skipped++;
      return 'skipped';
    }
    this.#isCut = this.#shown === this.#limits.most || this.#size >= textLimit;
    if (this.#isCut) return 'too many';
    this.#shown++;
    return 'shown';
  }

  #push(line: string): void {
    this.#size += line.length + 1;
    this.#lines.push(line);
  }
}

function shownLine(name: string, { line, text, match }: FoundLine): string {
  const mark = match === undefined ? '-' : ':';
  return `${name}${mark}${line ?? '?'}${mark} ${excerpt(text, match ?? 0).trimEnd()}`;
}

/** A long line is shown around its first match. */
function excerpt(text: string, match: number): string {
  if (text.length <= lineLimit) return text;
  const start = match + before < lineLimit ? 0 : match - before;
  const end = Math.min(text.length, start + lineLimit);
  return `${start > 0 ? '…' : ''}${text.slice(start, end).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')}${end < text.length ? '…' : ''}`;
}
