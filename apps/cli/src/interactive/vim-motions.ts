import { type Edit, endOfLine, moves, splitGraphemes, startOfLine } from './edit.ts';

/** Where a motion goes. */
export interface Target {
  readonly to: number;
  /** An operator also changes the character at the target. */
  readonly isInclusive?: true;
  /** An operator changes whole lines. */
  readonly isLinewise?: true;
}

/** A part of the text that an operator changes. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly isLinewise: boolean;
}

type Motion = (edit: Edit, count: number) => Target | undefined;

/** A search in a line: `f`, `F`, `t` or `T`, and the character. */
const lineSearch = /^[fFtT][^]+$/u;

const motions: Readonly<Record<string, Motion | undefined>> = {
  h: (edit, count) => {
    const passed = splitGraphemes(edit.text.slice(startOfLine(edit), edit.cursor)).slice(-count);
    return { to: edit.cursor - passed.join('').length };
  },
  l: (edit, count) => {
    const passed = splitGraphemes(edit.text.slice(edit.cursor, endOfLine(edit))).slice(0, count);
    return { to: edit.cursor + passed.join('').length };
  },
  j: (edit, count) => otherLine(edit, count),
  k: (edit, count) => otherLine(edit, -count),
  w: ({ text, cursor }, count) => ({ to: times(count, cursor, (at) => nextStart(text, at, kindOf)) }),
  W: ({ text, cursor }, count) => ({ to: times(count, cursor, (at) => nextStart(text, at, bigKindOf)) }),
  b: ({ text, cursor }, count) => ({ to: times(count, cursor, (at) => startBefore(text, at, kindOf)) }),
  B: ({ text, cursor }, count) => ({ to: times(count, cursor, (at) => startBefore(text, at, bigKindOf)) }),
  e: ({ text, cursor }, count) => ({ to: times(count, cursor, (at) => nextEnd(text, at, kindOf)), isInclusive: true }),
  E: ({ text, cursor }, count) => ({
    to: times(count, cursor, (at) => nextEnd(text, at, bigKindOf)),
    isInclusive: true,
  }),
  0: (edit) => ({ to: startOfLine(edit) }),
  '^': (edit) => ({ to: firstInLine(edit) }),
  $: (edit) => ({ to: endOfLine(edit) }),
  gg: ({ text }, count) => ({ to: startOfNumber(text, count), isLinewise: true }),
  G: ({ text }, count) => ({ to: startOfNumber(text, count), isLinewise: true }),
};

/** The target of a motion from the cursor; undefined if the motion is unknown or has no target. */
export function motion(name: string, edit: Edit, count: number): Target | undefined {
  if (lineSearch.test(name)) return found(name, edit, count);
  return motions[name]?.(edit, count);
}

/** The part of the text between the cursor and the target of a motion. */
export function spanOf({ cursor, text }: Edit, { to, isInclusive, isLinewise }: Target): Span {
  const [first, last] = cursor < to ? [cursor, to] : [to, cursor];
  if (isLinewise) return { ...linesOf(text, first, last), isLinewise };
  return { from: first, to: isInclusive ? after(text, last) : last, isLinewise: false };
}

/** The lines between two positions, each with its line break. */
export function linesOf(text: string, first: number, last: number): { readonly from: number; readonly to: number } {
  const end = text.indexOf('\n', last);
  return { from: startOfLine({ text, cursor: first }), to: end === -1 ? text.length : end + 1 };
}

/** The word, the quoted text or the text in brackets at the cursor: `iw`, `a"`, `i(`. */
export function textObject(name: string, { text, cursor }: Edit): Span | undefined {
  const [reach, kind = ''] = [name[0], name[1]];
  if (kind === 'w' || kind === 'W') return wordAt({ text, cursor }, kind === 'w' ? kindOf : bigKindOf, reach === 'a');
  const [open, close] = brackets[kind] ?? [kind, kind];
  const line = { start: startOfLine({ text, cursor }), end: endOfLine({ text, cursor }) };
  const from = open === close ? text.lastIndexOf(open, cursor) : openBefore(text, cursor, { open, close });
  const to = open === close ? text.indexOf(close, Math.max(from + 1, cursor)) : closeAfter(text, from, { open, close });
  if (from < line.start || to === -1 || to > line.end) return undefined;
  return reach === 'a' ? { from, to: to + 1, isLinewise: false } : { from: from + 1, to, isLinewise: false };
}

const brackets: Readonly<Record<string, readonly [string, string] | undefined>> = {
  ...{ '(': ['(', ')'], ')': ['(', ')'], b: ['(', ')'], '[': ['[', ']'], ']': ['[', ']'] },
  ...{ '{': ['{', '}'], '}': ['{', '}'], B: ['{', '}'], '<': ['<', '>'], '>': ['<', '>'] },
};

interface Brackets {
  readonly open: string;
  readonly close: string;
}

/** The open bracket around a position; −1 without one. A bracket at the position belongs to the pair. */
function openBefore(text: string, cursor: number, { open, close }: Brackets): number {
  let depth = 0;
  for (let at = cursor; at >= 0; at--) {
    if (text[at] === open && depth-- === 0) return at;
    if (text[at] === close && at < cursor) depth++;
  }
  return -1;
}

function closeAfter(text: string, from: number, { open, close }: Brackets): number {
  let depth = 0;
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === close && depth-- === 0) return at;
    if (text[at] === open) depth++;
  }
  return -1;
}

function wordAt({ text, cursor }: Edit, kind: Kind, withSpace: boolean): Span | undefined {
  if (text === '') return undefined;
  const here = kind(text[cursor]);
  let [from, to] = [cursor, cursor];
  while (from > 0 && kind(text[from - 1]) === here) from--;
  while (to < text.length && kind(text[to]) === here) to++;
  while (withSpace && to < text.length && kind(text[to]) === 'space') to++;
  return { from, to, isLinewise: false };
}

type Kind = (character: string | undefined) => 'word' | 'sign' | 'space' | 'line';

function kindOf(character: string | undefined): ReturnType<Kind> {
  if (character === undefined || character === '\n') return 'line';
  if (/\s/.test(character)) return 'space';
  // A half of a surrogate pair counts as a part of a word, and so does a mark or joiner in a grapheme.
  return /[\p{L}\p{N}\p{M}_\ud800-\udfff]|\u200d/u.test(character) ? 'word' : 'sign';
}

function bigKindOf(character: string | undefined): ReturnType<Kind> {
  const kind = kindOf(character);
  return kind === 'sign' ? 'word' : kind;
}

const isBetween = (kind: ReturnType<Kind>): boolean => kind === 'space' || kind === 'line';

function nextStart(text: string, from: number, kind: Kind): number {
  let at = from;
  const here = kind(text[at]);
  while (at < text.length && !isBetween(here) && kind(text[at]) === here) at++;
  while (at < text.length && isBetween(kind(text[at]))) at++;
  return at;
}

function nextEnd(text: string, from: number, kind: Kind): number {
  let at = after(text, from);
  while (at < text.length && isBetween(kind(text[at]))) at++;
  while (at + 1 < text.length && kind(text[at + 1]) === kind(text[at])) at++;
  return before(text, Math.min(at + 1, text.length));
}

function startBefore(text: string, from: number, kind: Kind): number {
  let at = from;
  while (at > 0 && isBetween(kind(text[at - 1]))) at--;
  while (at > 1 && kind(text[at - 2]) === kind(text[at - 1])) at--;
  return Math.max(0, at - 1);
}

function found(name: string, edit: Edit, count: number): Target | undefined {
  const [how = '', ...rest] = name;
  const wanted = rest.join('');
  const isForward = how === 'f' || how === 't';
  const [start, end] = [startOfLine(edit), endOfLine(edit)];
  let at = edit.cursor;
  for (let times = 0; times < count; times++) {
    at = isForward ? edit.text.indexOf(wanted, at + 1) : at === 0 ? -1 : edit.text.lastIndexOf(wanted, at - 1);
    if (at < start || at >= end) return undefined;
  }
  if (how === 't') at = before(edit.text, at);
  if (how === 'T') at += wanted.length;
  return isForward ? { to: at, isInclusive: true } : { to: at };
}

function otherLine(edit: Edit, by: number): Target | undefined {
  const { text } = edit;
  const column = edit.cursor - startOfLine(edit);
  let start = startOfLine(edit);
  for (let left = Math.abs(by); left > 0; left--) {
    if (by > 0) {
      const end = text.indexOf('\n', start);
      if (end === -1) return undefined;
      start = end + 1;
    } else {
      if (start === 0) return undefined;
      start = text.lastIndexOf('\n', start - 2) + 1;
    }
  }
  return { to: Math.min(start + column, endOfLine({ text, cursor: start })), isLinewise: true };
}

function startOfNumber(text: string, line: number): number {
  let start = 0;
  for (let left = line; left > 1; left--) {
    const end = text.indexOf('\n', start);
    if (end === -1) return start;
    start = end + 1;
  }
  return start;
}

function times(count: number, start: number, step: (at: number) => number): number {
  let at = start;
  for (let left = count; left > 0; left--) {
    const next = step(at);
    if (next === at) break;
    at = next;
  }
  return at;
}

function before(text: string, at: number): number {
  return moves['left']?.({ text, cursor: at }).cursor ?? at;
}

function after(text: string, at: number): number {
  return moves['right']?.({ text, cursor: at }).cursor ?? at;
}

function firstInLine(edit: Edit): number {
  const start = startOfLine(edit);
  return start + (/^[^\S\n]*/.exec(edit.text.slice(start))?.[0].length ?? 0);
}
