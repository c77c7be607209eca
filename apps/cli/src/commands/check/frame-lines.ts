import { frameExcerpt, frameSummary, type JournalEntry, shortened, type Subject } from '@turnwire/conformance';
import { cleanLine } from '../../terminal/clean-text.ts';
import type { Paint } from '../../terminal/paint.ts';
import { wrapExactly } from '../../terminal/text-width.ts';

/** How lines are laid out. */
export interface LineFormat {
  readonly paint: Paint;
  /** In columns. */
  readonly width: number;
  /** Show the whole frame instead of what fits. */
  readonly isWhole: boolean;
}

const indent = 11;
const linesOfFrame = 2;
/** Characters of a frame that are always shown, even if they take more lines: fewer are of no use. */
const fewest = 100;

/** Terminals with fewer columns cannot afford an indent. */
const narrow = 60;

/** A frame on a few lines. Frames of the judged side point to the left, towards us. */
export function frameLines(
  entry: JournalEntry,
  kind: Subject,
  { paint, width, isWhole }: LineFormat,
): readonly string[] {
  const { at, from, text, flaw } = frameExcerpt(entry);
  const head = `${from === kind ? '←' : '→'} ${at} ms `;
  const left = width < narrow ? 2 : indent;
  const space = Math.max(20, width - left - head.length);
  const body = `${flaw === undefined ? '' : `(${flaw}) `}${cleanLine(isWhole ? text : frameSummary(text))}`;
  const lines = wrapExactly(isWhole ? body : shortened(body, Math.max(fewest, space * linesOfFrame - 24)), space);
  return lines.map((line, index) => {
    const start = index === 0 ? head : ' '.repeat(head.length);
    return `${' '.repeat(left)}${paint('dim', start)}${line}`;
  });
}
