/** An immutable text with a cursor. */
export interface Edit {
  readonly text: string;
  /** In UTF-16 units, between two graphemes. */
  readonly cursor: number;
}

/** The effect of a key on a text. */
export type Move = (edit: Edit) => Edit;

export const emptyEdit: Edit = { text: '', cursor: 0 };

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The text split into user-perceived characters. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** A text with the cursor at its end. */
export function editOf(text: string): Edit {
  return { text, cursor: text.length };
}

export function insert({ text, cursor }: Edit, added: string): Edit {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Replaces a part. */
export function replacePart(
  { text }: Edit,
  { from, to }: { readonly from: number; readonly to: number },
  added: string,
): Edit {
  return { text: text.slice(0, from) + added + text.slice(to), cursor: from + added.length };
}

const left: Move = (edit) => ({ ...edit, cursor: before(edit) });
const right: Move = (edit) => ({ ...edit, cursor: after(edit) });
const wordLeft: Move = (edit) => ({ ...edit, cursor: wordStart(edit) });
const wordRight: Move = (edit) => ({ ...edit, cursor: wordEnd(edit) });
const lineStart: Move = (edit) => ({ ...edit, cursor: startOfLine(edit) });
const lineEnd: Move = (edit) => ({ ...edit, cursor: endOfLine(edit) });

const deleteBefore: Move = (edit) => cut(edit, before(edit), edit.cursor);
const deleteAfter: Move = (edit) => cut(edit, edit.cursor, after(edit));
const deleteWordBefore: Move = (edit) => cut(edit, wordStart(edit), edit.cursor);
const deleteWordAfter: Move = (edit) => cut(edit, edit.cursor, wordEnd(edit));
/** At the start of a line, deletes the line break before it. */
const deleteToStart: Move = (edit) => cut(edit, Math.min(startOfLine(edit), before(edit)), edit.cursor);
/** At the end of a line, deletes the line break after it. */
const deleteToEnd: Move = (edit) => cut(edit, edit.cursor, Math.max(endOfLine(edit), after(edit)));

/** Keys that move inside a line, as in readline. */
export const moves: Readonly<Record<string, Move | undefined>> = {
  left,
  'ctrl-b': left,
  right,
  'ctrl-f': right,
  'ctrl-left': wordLeft,
  'meta-left': wordLeft,
  'meta-b': wordLeft,
  'ctrl-right': wordRight,
  'meta-right': wordRight,
  'meta-f': wordRight,
  home: lineStart,
  'ctrl-a': lineStart,
  end: lineEnd,
  'ctrl-e': lineEnd,
};

/** Keys that delete. */
export const deletions: Readonly<Record<string, Move | undefined>> = {
  backspace: deleteBefore,
  delete: deleteAfter,
  'ctrl-w': deleteWordBefore,
  'meta-backspace': deleteWordBefore,
  'ctrl-backspace': deleteWordBefore,
  'meta-d': deleteWordAfter,
  'ctrl-u': deleteToStart,
  'ctrl-k': deleteToEnd,
};

/** Deletions of more than a character, which Ctrl-Y restores. */
export const kills: ReadonlySet<string> = new Set([
  'ctrl-w',
  'meta-backspace',
  'ctrl-backspace',
  'meta-d',
  'ctrl-u',
  'ctrl-k',
]);

function cut({ text }: Edit, from: number, to: number): Edit {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** The position before the grapheme at the cursor. Segments only the current line, so that keys stay fast in a long text. */
function before({ text, cursor }: Edit): number {
  if (cursor === 0) return 0;
  const start = text.lastIndexOf('\n', cursor - 1) + 1;
  if (start === cursor) return cursor - 1;
  return cursor - (splitGraphemes(text.slice(start, cursor)).at(-1)?.length ?? 1);
}

function after({ text, cursor }: Edit): number {
  const [next] = graphemes.segment(text.slice(cursor, cursor + 64));
  return cursor + (next?.segment.length ?? 0);
}

export function startOfLine({ text, cursor }: Edit): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

export function endOfLine({ text, cursor }: Edit): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

function wordStart({ text, cursor }: Edit): number {
  const head = text.slice(0, cursor);
  return cursor - (/[\p{L}\p{N}_]+[^\p{L}\p{N}_]*$/u.exec(head)?.[0].length ?? head.length);
}

function wordEnd({ text, cursor }: Edit): number {
  const rest = text.slice(cursor);
  return cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]+/u.exec(rest)?.[0].length ?? rest.length);
}
