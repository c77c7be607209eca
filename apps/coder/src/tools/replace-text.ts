import { countBreaks, keepLineEndings, plainLines } from '../workspace/line-endings.ts';
import { explainMiss } from './near-miss.ts';

/** One requested replacement. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every occurrence; otherwise there must be exactly one. */
  readonly replaceAll?: boolean | undefined;
}

/** A part of the original and its replacement. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** The index of its edit, from 0. */
  readonly edit: number;
}

/** Lines of the new text, from 1. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** The result of the edits. */
export interface EditedText {
  readonly text: string;
  /** The changed lines. */
  readonly spans: readonly LineSpan[];
}

/** The occurrences of an old text that is not unique. */
const shownOccurrences = 10;

/**
 * Applies edits to a text. Each is matched exactly against the original, except for line endings: the file's are used and stay.
 * @returns the result, or the reason for refusing all edits
 */
export function editText(original: string, edits: readonly TextEdit[]): EditedText | { readonly explanation: string } {
  const source = new LinesOf(original);
  const replacements: Replacement[] = [];
  for (const [index, edit] of edits.entries()) {
    const found = findEdit(source, edit, index);
    if ('explanation' in found) return { explanation: `${numbered(index, edits.length)}${found.explanation}` };
    for (const each of found) replacements.push(each);
  }
  replacements.sort((one, other) => one.start - other.start);
  const clash = replacements.find((each, index) => each.start < (replacements[index - 1]?.end ?? 0));
  if (clash) return { explanation: overlap(replacements, clash) };
  return carryOut(source, replacements);
}

function findEdit(
  source: LinesOf,
  { oldText, newText, replaceAll = false }: TextEdit,
  edit: number,
): readonly Replacement[] | { readonly explanation: string } {
  const wanted = plainLines(oldText);
  const starts = occurrences(source.text, wanted);
  if (starts.length === 0) return { explanation: explainMiss(source.text, wanted) };
  if (starts.length > 1 && !replaceAll) return { explanation: ambiguous(source.text, starts) };
  return starts.map((at) => {
    const start = source.offset(at);
    const end = source.offset(at + wanted.length);
    const old = source.original.slice(start, end);
    return { start, end, edit, newText: keepLineEndings(old, plainLines(newText), source.endingNear(start)) };
  });
}

function carryOut({ original }: LinesOf, replacements: readonly Replacement[]): EditedText {
  const parts: string[] = [];
  const spans: LineSpan[] = [];
  let done = 0;
  let line = 1;
  for (const { start, end, newText } of replacements) {
    const kept = original.slice(done, start);
    line += countBreaks(kept);
    const last = line + countBreaks(newText);
    spans.push({ first: line, last: newText.endsWith('\n') ? last - 1 : last });
    line = last;
    parts.push(kept, newText);
    done = end;
  }
  return { text: parts.join('') + original.slice(done), spans };
}

/** A text with plain line endings, and its mapping to the original. */
class LinesOf {
  readonly original: string;
  readonly text: string;
  // The positions in the plain text where a carriage return was removed.
  readonly #lost: readonly number[];

  constructor(original: string) {
    this.original = original;
    this.text = plainLines(original);
    this.#lost = this.text === original ? [] : occurrences(original, '\r\n').map((at, index) => at - index);
  }

  /** The position in the original of a position in the plain text. */
  offset(at: number): number {
    let low = 0;
    let high = this.#lost.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lost[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  }

  /** The line ending of the line at a position in the original, or of the line before. */
  endingNear(at: number): string {
    const next = this.original.indexOf('\n', at);
    const end = next === -1 ? this.original.lastIndexOf('\n') : next;
    return this.original[end - 1] === '\r' ? '\r\n' : '\n';
  }
}

function occurrences(text: string, part: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) starts.push(at);
  return starts;
}

function ambiguous(text: string, starts: readonly number[]): string {
  const lines = starts.slice(0, shownOccurrences).map((start) => countBreaks(text, start) + 1);
  const more = starts.length > shownOccurrences ? ' …' : '';
  return `the old text occurs ${starts.length} times (lines ${lines.join(', ')}${more}). Include more of the surrounding text, or replace all.`;
}

function overlap(replacements: readonly Replacement[], clash: Replacement): string {
  const before = replacements[replacements.indexOf(clash) - 1];
  return `edits ${(before?.edit ?? 0) + 1} and ${clash.edit + 1} change the same text. Combine them.`;
}

function numbered(index: number, count: number): string {
  return count === 1 ? '' : `edit ${index + 1} of ${count}: `;
}
