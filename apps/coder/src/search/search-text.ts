import { setImmediate } from 'node:timers/promises';
import type { FoundLine, TextQuery } from './file-engine.ts';
import type { TextMatcher } from './text-matcher.ts';

/** The options for searching one text. */
export interface TextSearch {
  readonly query: TextQuery;
  readonly matcher: TextMatcher;
  readonly signal: AbortSignal;
}

/** Milliseconds after which the event loop gets a turn. */
const atOnce = 20;

/** The matching lines of a text, with their context. */
export async function searchText(text: string, search: TextSearch): Promise<readonly FoundLine[]> {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  const found = search.query.multiline ? await acrossLines(text, search) : await lineByLine(lines, search);
  return withContext(lines, found, search.query.context ?? 0);
}

/** The start of the first match, by line index. */
type Matches = ReadonlyMap<number, number>;

async function lineByLine(lines: readonly string[], { query, matcher, signal }: TextSearch): Promise<Matches> {
  const found = new Map<number, number>();
  const pause = pauses(signal);
  for (const [index, line] of lines.entries()) {
    if (found.size === query.perFile) break;
    const match = matcher(withoutReturn(line), 0);
    if (match) found.set(index, match.start);
    await pause();
  }
  return found;
}

async function acrossLines(text: string, { query, matcher, signal }: TextSearch): Promise<Matches> {
  const found = new Map<number, number>();
  const pause = pauses(signal);
  const starts = lineStarts(text);
  let match = matcher(text, 0);
  while (match !== undefined && found.size < query.perFile) {
    const first = lineAt(starts, match.start);
    const last = lineAt(starts, Math.max(match.start, match.end - 1));
    for (let line = first; line <= last && found.size < query.perFile; line++)
      if (!found.has(line)) found.set(line, line === first ? match.start - (starts[line] ?? 0) : 0);
    match = next(text, match, matcher);
    await pause();
  }
  return found;
}

function next(
  text: string,
  { start, end }: { start: number; end: number },
  matcher: TextMatcher,
): ReturnType<TextMatcher> {
  const from = start === end ? end + 1 : end;
  return from >= text.length ? undefined : matcher(text, from);
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  return starts;
}

/** The line that contains an index, by binary search. */
function lineAt(starts: readonly number[], index: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

function withContext(lines: readonly string[], found: Matches, context: number): readonly FoundLine[] {
  const shown = new Set<number>();
  for (const index of found.keys())
    for (let near = Math.max(0, index - context); near <= Math.min(lines.length - 1, index + context); near++)
      shown.add(near);
  return [...shown].map((index) => ({
    line: index + 1,
    text: withoutReturn(lines[index] ?? ''),
    match: found.get(index),
  }));
}

function pauses(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < atOnce) return undefined;
    return setImmediate().then(() => {
      signal.throwIfAborted();
      since = performance.now();
    });
  };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
