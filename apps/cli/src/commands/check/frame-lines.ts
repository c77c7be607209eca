import { frameExcerpt, frameSummary, type JournalEntry, shortened, type Subject } from '@turnwire/conformance';
import { cleanLine } from '../../terminal/clean-text.ts';
import type { Paint } from '../../terminal/paint.ts';
import { wrapExactly } from '../../terminal/text-width.ts';

/** The format of lines. */
export interface LineFormat {
  readonly paint: Paint;
  /** In columns. */
  readonly width: number;
  /** Whether to show whole frames instead of excerpts. */
  readonly isWhole: boolean;
}

const indent = 11;
const linesOfFrame = 2;
/** The minimum number of characters of an excerpt, even if it takes more lines, because shorter excerpts are useless. */
const fewest = 100;

/** The minimum number of columns for an indent. */
const narrow = 60;

/** A frame on a few lines. The arrow of frames from the checked side points to the left, towards us. */
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
