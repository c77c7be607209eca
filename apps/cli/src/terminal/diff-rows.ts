import { changedWords, type TextSpan } from '@turnwire/client/changes';
import { shortPath } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { visibleLine, visibleText } from './clean-text.ts';
import { diffHunks, type Hunk, sizeOf } from './diff-hunks.ts';
import { highlighter, languageOf } from './highlighter.ts';
import type { Page } from './page.ts';
import { plain, type Style, type StyledText } from './paint.ts';
import { padLine, wrapExactly } from './text-width.ts';

/** From this width on both texts stand side by side: that of a screen of 140 columns, without margins. */
const leastForTwo = 135;

/** A line of one of the texts. */
interface Line {
  readonly sign: '+' | '-' | ' ';
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly code: readonly StyledText[];
  /** Its words that differ from the line on the other side. */
  readonly words?: readonly TextSpan[] | undefined;
}

/** A line of the old text beside one of the new one; one that was added or removed stands alone. */
interface Row {
  readonly left?: Line;
  readonly right?: Line;
}

/**
 * A complete diff with its path, its size and line numbers; control characters are escaped. Words that changed within a line are marked. Wide
 * pages have both texts side by side.
 * @param hasHead whether path and size are above it. Default: true
 */
export function diffRows(diff: Diff, page: Page, { hasHead = true }: { readonly hasHead?: boolean } = {}): string[] {
  const hunks = diffHunks(diff);
  const rows = hunks.map((hunk) => rowsOf(hunk, diff, page));
  const digits = String(
    rows.flat().reduce((highest, { left, right }) => Math.max(highest, left?.number ?? 0, right?.number ?? 0), 0),
  ).length;
  const isNew = diff.oldText === undefined || diff.oldText === null;
  const drawn = page.width >= leastForTwo && !isNew ? besideLines : belowLines;
  const lines = rows.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [page.paint('dim', `${' '.repeat(digits)} ⋯`)]),
    ...drawn(hunk, digits, page),
  ]);
  return [...(hasHead ? headLines(diff, hunks, page) : []), ...lines];
}

function headLines({ path, oldText }: Diff, hunks: readonly Hunk[], page: Page): string[] {
  const { paint, width } = page;
  const isNew = oldText === undefined || oldText === null;
  const name = wrapExactly(visibleLine(shortPath(path, page.folder)), width);
  const last = name.at(-1) ?? '';
  return [
    ...name.slice(0, -1).map((part) => paint('bold', part)),
    `${paint('bold', last)} ${paint('dim', `${isNew ? 'new file ' : ''}(${sizeOf(hunks)})`)}`,
  ];
}

/** One below the other: first the removed lines of a change, then the added ones. */
function belowLines(rows: readonly Row[], digits: number, { paint, width }: Page): string[] {
  const lines: Line[] = [];
  let added: Line[] = [];
  // Not `push(...)`: there may be more lines than a call can have parameters.
  const flush = (): void => {
    for (const line of added) lines.push(line);
    added = [];
  };
  for (const { left, right } of rows) {
    if (right?.sign === ' ') {
      flush();
      lines.push(right);
    } else {
      if (left) lines.push(left);
      if (right) added.push(right);
    }
  }
  flush();
  return lines.flatMap((line) => cellLines(line, digits, { paint, width }).map((text) => text.trimEnd()));
}

function besideLines(rows: readonly Row[], digits: number, { paint, width }: Page): string[] {
  const half = { paint, width: Math.floor((width - 3) / 2) };
  return rows.flatMap(({ left, right }) => {
    const [one, other] = [left, right].map((line) => (line ? cellLines(line, digits, half) : []));
    return Array.from({ length: Math.max(one?.length ?? 0, other?.length ?? 0) }, (_, index) =>
      `${padLine(one?.[index] ?? '', half.width)} ${paint('dim', '│')} ${other?.[index] ?? ''}`.trimEnd(),
    );
  });
}

function cellLines(line: Line, digits: number, { paint, width }: Page): string[] {
  const { sign, number } = line;
  const style = sign === '+' ? 'green' : sign === '-' ? 'red' : undefined;
  const parts = wrapExactly(painted(line, style, paint), Math.max(1, width - digits - 3));
  return parts.map((part, index) => {
    const margin = index === 0 ? String(number).padStart(digits) : ' '.repeat(digits);
    const mark = index === 0 ? sign : ' ';
    return `${paint('dim', margin)} ${style ? paint(style, mark) : mark} ${part}`;
  });
}

/** Code in its colours; the rest of a changed line in that of the change, and its changed words inverse. */
function painted({ text: line, code, words }: Line, style: Style | undefined, paint: Page['paint']): string {
  const marked = words ?? [{ text: line, isChanged: false }];
  let at = 0;
  return code
    .flatMap(({ text, style: own }) => {
      const from = at;
      at += text.length;
      return wordsBetween(marked, from, at).map(({ text: part, isChanged }) => {
        if (isChanged && style) return paint('inverse', paint(style, part));
        const colour = own ?? style;
        return colour ? paint(colour, part) : part;
      });
    })
    .join('');
}

/** The words between two places of a line; those at the places are cut. */
function wordsBetween(words: readonly TextSpan[], from: number, to: number): readonly TextSpan[] {
  let end = 0;
  return words.flatMap(({ text, isChanged }) => {
    const start = end;
    end += text.length;
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return part === '' ? [] : [{ text: part, isChanged }];
  });
}

function rowsOf({ oldStart, newStart, lines }: Hunk, { path }: Diff, page: Page): readonly Row[] {
  const shown = lines
    .filter((line) => /^[ +-]/.test(line))
    .map((line) => ({ sign: line[0] as Line['sign'], text: visibleText(line.slice(1)) }));
  const before = numbered(
    shown.filter(({ sign }) => sign !== '+'),
    { start: oldStart, path, page },
  );
  const after = numbered(
    shown.filter(({ sign }) => sign !== '-'),
    { start: newStart, path, page },
  );
  const rows: Row[] = [];
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    const removed = run(before, from, '-');
    const added = run(after, to, '+');
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      rows.push(pair(removed[index], added[index]));
    from += removed.length;
    to += added.length;
    const [left, right] = [before[from], after[to]];
    if (!left || !right) continue;
    rows.push({ left, right });
    from++;
    to++;
  }
  return rows;
}

function numbered(
  lines: readonly Pick<Line, 'sign' | 'text'>[],
  { start, path, page }: { readonly start: number; readonly path: string; readonly page: Page },
): readonly Line[] {
  const texts = lines.map(({ text }) => text.replaceAll('\t', '    '));
  const code = page.paint === plain ? [] : highlighter.lines(texts, languageOf(path));
  return lines.map(({ sign }, index) => {
    const text = texts[index] ?? '';
    return { sign, number: start + index, text, code: code[index] ?? [{ text }] };
  });
}

function run(lines: readonly Line[], from: number, sign: Line['sign']): readonly Line[] {
  let end = from;
  while (lines[end]?.sign === sign) end++;
  return lines.slice(from, end);
}

function pair(left: Line | undefined, right: Line | undefined): Row {
  if (!left || !right) return { ...(left && { left }), ...(right && { right }) };
  const words = changedWords(left.text, right.text);
  return { left: { ...left, words: words?.removed }, right: { ...right, words: words?.added } };
}
