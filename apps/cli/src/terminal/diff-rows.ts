import { type DiffRow, diffRows as rowsOf, foldedRows, type TextSpan } from '@turnwire/client/changes';
import { shortPath } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { visibleLine, visibleText } from './clean-text.ts';
import { diffSizeText } from './diff-lines.ts';
import { highlighter, languageOf } from './highlighter.ts';
import type { Page } from './page.ts';
import { plain, type Style, type StyledText } from './paint.ts';
import { padLine, wrapExactly } from './text-width.ts';

/** The minimum width for both texts side by side: that of a screen with 140 columns, without margins. */
const leastForTwo = 135;

/** A line of the old or the new text. */
interface Line {
  readonly sign: '+' | '-' | ' ';
  /** The line number, starting at 1. */
  readonly number: number;
  readonly text: string;
  readonly code: readonly StyledText[];
  /** The same text, with the words marked that differ from the line on the other side. */
  readonly words: readonly TextSpan[];
}

/** A line of the old text and its counterpart in the new one; an added or removed line has no counterpart. */
interface Row {
  readonly left?: Line;
  readonly right?: Line;
}

/**
 * A complete diff with its path, size and line numbers. Control characters are escaped, and changed words within a line are marked. Wide
 * pages show both texts side by side.
 * @param hasHead whether to print path and size above the diff. Default: true
 */
export function diffRows(diff: Diff, page: Page, { hasHead = true }: { readonly hasHead?: boolean } = {}): string[] {
  const hunks = hunksOf(diff).map((hunk) => drawnHunk(hunk, diff, page));
  const digits = String(
    hunks.flat().reduce((highest, { left, right }) => Math.max(highest, left?.number ?? 0, right?.number ?? 0), 0),
  ).length;
  const isNew = diff.oldText === undefined || diff.oldText === null;
  const drawn = page.width >= leastForTwo && !isNew ? sideBySideLines : unifiedLines;
  const lines = hunks.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [page.paint('dim', `${' '.repeat(digits)} ⋯`)]),
    ...drawn(hunk, digits, page),
  ]);
  return [...(hasHead ? headLines(diff, page) : []), ...lines];
}

function headLines(diff: Diff, page: Page): string[] {
  const { path, oldText } = diff;
  const { paint, width } = page;
  const isNew = oldText === undefined || oldText === null;
  const name = wrapExactly(visibleLine(shortPath(path, page.folder)), width);
  const last = name.at(-1) ?? '';
  return [
    ...name.slice(0, -1).map((part) => paint('bold', part)),
    `${paint('bold', last)} ${paint('dim', `${isNew ? 'new file ' : ''}(${diffSizeText(diff)})`)}`,
  ];
}

/** One column: first the removed lines of a change, then the added ones. */
function unifiedLines(rows: readonly Row[], digits: number, { paint, width }: Page): string[] {
  const lines: Line[] = [];
  let added: Line[] = [];
  // Not `push(...)`: there may be more lines than a call can have arguments.
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

function sideBySideLines(rows: readonly Row[], digits: number, { paint, width }: Page): string[] {
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

/** Highlighted code. Other text of a changed line has the colour of the change, and changed words are inverse. */
function painted({ code, words }: Line, style: Style | undefined, paint: Page['paint']): string {
  let at = 0;
  return code
    .flatMap(({ text, style: own }) => {
      const from = at;
      at += text.length;
      return wordsBetween(words, from, at).map(({ text: part, isChanged }) => {
        if (isChanged && style) return paint('inverse', paint(style, part));
        const colour = own ?? style;
        return colour ? paint(colour, part) : part;
      });
    })
    .join('');
}

/** The words between two positions of a line, cut at the positions. */
function wordsBetween(words: readonly TextSpan[], from: number, to: number): readonly TextSpan[] {
  let end = 0;
  return words.flatMap(({ text, isChanged }) => {
    const start = end;
    end += text.length;
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return part === '' ? [] : [{ text: part, isChanged }];
  });
}

/** Groups of rows around changes that are near each other. */
function hunksOf(diff: Diff): readonly (readonly DiffRow[])[] {
  const hunks: DiffRow[][] = [];
  let hunk: DiffRow[] | undefined;
  for (const row of foldedRows(rowsOf(diff), 1)) {
    if (row.type === 'folded') {
      hunk = undefined;
      continue;
    }
    if (!hunk) hunks.push((hunk = []));
    hunk.push(row);
  }
  return hunks;
}

/** Highlights each side as a whole, because a comment may have begun several lines before. */
function drawnHunk(hunk: readonly DiffRow[], { path }: Diff, page: Page): readonly Row[] {
  const [left, right] = [sideLines(hunk, 'left', { path, page }), sideLines(hunk, 'right', { path, page })];
  let [from, to] = [0, 0];
  return hunk.map((row) => {
    const [one, other] = [row.left && left[from++], row.right && right[to++]];
    return { ...(one && { left: one }), ...(other && { right: other }) };
  });
}

function sideLines(
  hunk: readonly DiffRow[],
  side: 'left' | 'right',
  { path, page }: { readonly path: string; readonly page: Page },
): readonly Line[] {
  const lines = hunk.flatMap(({ type, [side]: line }) => {
    if (!line) return [];
    const words = line.spans.map((span) => ({ ...span, text: visibleText(span.text).replaceAll('\t', '    ') }));
    const sign = type === 'same' ? (' ' as const) : side === 'left' ? ('-' as const) : ('+' as const);
    return [{ sign, number: line.number, words, text: words.map(({ text }) => text).join('') }];
  });
  const texts = lines.map(({ text }) => text);
  const code = page.paint === plain ? [] : highlighter.lines(texts, languageOf(path));
  return lines.map((line, index) => ({ ...line, code: code[index] ?? [{ text: line.text }] }));
}
