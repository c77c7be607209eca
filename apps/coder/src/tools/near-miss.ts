import { countBreaks } from '../workspace/line-endings.ts';

const shownLines = 12;
const shownLineLength = 200;

/**
 * Explains why a text does not occur in another, and shows the nearest match. Every step reads the text a fixed number of times,
 * so that it is fast for the largest file.
 * @param text with plain line endings
 * @param part the text to find, with plain line endings as well
 */
export function explainMiss(text: string, part: string): string {
  const lines = text.split('\n');
  const wanted = part.replace(/^\n+|\n+$/gu, '').split('\n');
  if (wanted.every((line) => line.trim() === ''))
    return 'the old text is white space, which does not occur in this form.';
  const file = new FoldedLines(lines);
  for (const { differs, fold, foldPart } of likenesses) {
    const meant = foldPart ? foldPart(wanted.join('\n')).split('\n') : wanted;
    const at = file.find(meant, fold);
    if (at !== undefined)
      return `${missing} Line ${at + 1} differs from it ${differs}. ${comparison(lines, wanted, at)}`;
  }
  const near = mostLinesShared(lines, wanted) ?? mostWordsShared(lines, wanted);
  if (near === undefined) return `${missing} No line of the file is similar. Read the file again.`;
  return `${missing} The nearest is at line ${near + 1}. ${comparison(lines, wanted, near)}`;
}

const missing = 'the old text does not occur.';

/** A difference between texts that models do not notice. */
interface Likeness {
  readonly differs: string;
  /** Normalises lines that differ only in this way. */
  readonly fold: Fold;
  /** Removes decoration from the text to find first. */
  readonly foldPart?: (part: string) => string;
}

const likenesses: readonly Likeness[] = [
  { differs: 'only in white space', fold: foldSpace },
  { differs: 'in quotation marks, dashes or the like', fold: foldSigns },
  { differs: 'in upper and lower case', fold: (line) => foldSigns(line).toLowerCase() },
  { differs: 'by line numbers, which are not part of the file', fold: foldSpace, foldPart: withoutLineNumbers },
  { differs: 'by backslashes, which have another meaning in the file', fold: foldSpace, foldPart: withoutEscapes },
];

type Fold = (line: string) => string;

/** The lines of a file, each folded once in every way. */
class FoldedLines {
  readonly #lines: readonly string[];
  readonly #folded = new Map<Fold, string>();

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** The position of lines after folding both sides; the first and the last may be parts of lines. */
  find(wanted: readonly string[], fold: Fold): number | undefined {
    const needle = wanted.map(fold).join('\n');
    if (needle.trim() === '') return undefined;
    const folded = this.#folded.get(fold) ?? this.#lines.map(fold).join('\n');
    this.#folded.set(fold, folded);
    const at = folded.indexOf(needle);
    return at === -1 ? undefined : countBreaks(folded, at);
  }
}

/** The position of most of the lines, in the same order and distance. */
function mostLinesShared(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const indexes = new Map<string, number>();
  for (const [index, line] of wanted.entries()) {
    const folded = foldSpace(line);
    // Lines of brackets alone occur everywhere.
    if (/\w/u.test(folded) && !indexes.has(folded)) indexes.set(folded, index);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const at = indexes.get(foldSpace(line));
    if (at !== undefined) votes.set(index - at, (votes.get(index - at) ?? 0) + 1);
  }
  return atMost(votes);
}

/** The line that shares the most words, and at least half, with the longest line to find. */
function mostWordsShared(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((one, other) => (other.trim().length > one.trim().length ? other : one));
  const words = new Set(wordsOf(longest));
  const scores = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const shared = new Set(wordsOf(line).filter((word) => words.has(word))).size;
    if (shared * 2 >= words.size && shared > 0) scores.set(index, shared);
  }
  const best = atMost(scores);
  return best === undefined ? undefined : best - wanted.indexOf(longest);
}

function atMost(scores: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const [at, score] of scores) if (best === undefined || score > (scores.get(best) ?? 0)) best = at;
  return best === undefined ? undefined : Math.max(0, best);
}

// As JSON, which distinguishes tabs from spaces and shows the end of a line.
function comparison(lines: readonly string[], wanted: readonly string[], at: number): string {
  const height = Math.min(wanted.length, shownLines);
  const rows = wanted.slice(0, height).flatMap((line, index) => {
    const there = lines[at + index];
    if (there === line) return [`  ${shown(line)}`];
    return [`- ${shown(line)}`, ...(there === undefined ? [] : [`+ ${shown(there)}`])];
  });
  const rest = wanted.length > height ? [`  … ${wanted.length - height} more lines`] : [];
  return `Old text (-) and file (+), as JSON strings:\n${[...rows, ...rest].join('\n')}\nCopy the text of the file exactly.`;
}

function shown(line: string): string {
  return JSON.stringify(line.length > shownLineLength ? `${line.slice(0, shownLineLength)}…` : line);
}

function foldSpace(line: string): string {
  return /\s\s|[^\S ]/u.test(line) ? line.replaceAll(/\s+/gu, ' ').trim() : line.trim();
}

function foldSigns(line: string): string {
  // Most lines are ASCII, which has few of these signs.
  if (!/[^\0-\u007F]/u.test(line)) return foldSpace(line.replaceAll(/['`]/gu, '"'));
  return foldSpace(line.normalize('NFKC'))
    .replaceAll(/["'`´‘’‚‛“”„«»]/gu, '"')
    .replaceAll(/[‐‑‒–—―−]/gu, '-');
}

function withoutLineNumbers(part: string): string {
  return part.replaceAll(/^\s*(?:\S+:)?\d+\s*[:|→\t]/gmu, '');
}

function withoutEscapes(part: string): string {
  return part
    .replaceAll('\\n', '\n')
    .replaceAll(/\\[rt]/gu, ' ')
    .replaceAll(/\\(["'`\\/])/gu, '$1');
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_]+/gu) ?? [];
}
