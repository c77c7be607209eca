import { frameExcerpt, type JournalEntry, shortened, type Subject } from '@agentwire/conformance';
import { cleanLine } from '../../terminal/clean-text.ts';
import type { Paint } from '../../terminal/paint.ts';
import { wrapExactly } from '../../terminal/text-width.ts';

/** How lines are written. */
export interface LineLook {
  readonly paint: Paint;
  /** In columns. */
  readonly width: number;
  /** Everything that shows it, instead of what fits. */
  readonly isWhole: boolean;
}

const indent = 11;
const linesOfFrame = 2;

/** A frame on a few lines. What the judged side says points to the left, as it comes to us. */
export function frameLines(entry: JournalEntry, kind: Subject, { paint, width, isWhole }: LineLook): readonly string[] {
  const { at, from, text, flaw } = frameExcerpt(entry);
  const head = `${from === kind ? '←' : '→'} ${at} ms `;
  const room = Math.max(20, width - indent - head.length);
  const body = `${flaw === undefined ? '' : `(${flaw}) `}${cleanLine(text)}`;
  const lines = wrapExactly(isWhole ? body : shortened(body, room * linesOfFrame - 24), room);
  return lines.map((line, place) => {
    const start = place === 0 ? head : ' '.repeat(head.length);
    return `${' '.repeat(indent)}${paint('dim', start)}${line}`;
  });
}
