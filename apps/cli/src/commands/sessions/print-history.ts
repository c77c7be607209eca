import type { GlobalOptions } from '../../options.ts';
import { printPieces } from '../../output/print-pieces.ts';
import type { NamedSessions } from '../../store/named-sessions.ts';
import { cleanJson, cleanText, TextCleaner } from '../../terminal/clean-text.ts';
import { existingSession } from '../located-session.ts';
import { type EntryPiece, historyEntries } from './history-entries.ts';

/** The part of a history to print. */
export interface HistoryArguments {
  /** The number of last entries; absent: all entries. */
  readonly limit?: number | undefined;
  /** Whether to print whole entries instead of one line each. */
  readonly isFull: boolean;
}

/** The maximum length of an entry's line, and of the text it is made from, in characters. The text is longer because runs of white space become one space. */
const line = { longest: 200, made: 4_000 } as const;

/** Prints a session's history, each entry cut to a line or in full. Resolves with the exit code. */
export async function printHistory(
  name: string | undefined,
  { limit = Infinity, isFull }: HistoryArguments,
  { format, ...options }: GlobalOptions,
): Promise<number> {
  await using located = await existingSession({ ...options, format }, name);
  const { sessions, record } = located;
  // Read the history twice: the count is printed first, and the whole may not fit in memory.
  const total = await countedEntries(sessions, record.id);
  const facts = { id: record.id, sessionId: record.sessionId, count: Math.min(limit, total), total };
  const entries = lastOf(sessions, facts);
  if (format === 'json') return await printPieces(asJson(facts, entries), options.timeout);
  const head = format === 'text' ? `session: ${facts.id} (${facts.count}/${total} shown)\n` : '';
  return await printPieces(asText(head, isFull ? inFull(entries) : oneLineEach(entries)), options.timeout);
}

interface HistoryFacts {
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly count: number;
  readonly total: number;
}

async function countedEntries(sessions: NamedSessions, id: string): Promise<number> {
  let count = 0;
  for await (const pieces of historyEntries(sessions.history(id)))
    for (const piece of pieces) if (typeof piece !== 'string') count++;
  return count;
}

/** Pieces of entries, in batches. */
type Entries = AsyncIterable<readonly EntryPiece[]>;

/** The last of the counted entries. New entries may have been added since. */
async function* lastOf(
  sessions: NamedSessions,
  { id, count, total }: HistoryFacts,
): AsyncGenerator<readonly EntryPiece[], void> {
  let number = 0;
  for await (const pieces of historyEntries(sessions.history(id)))
    yield pieces.filter((piece) => {
      if (typeof piece !== 'string') number++;
      return number > total - count && number <= total;
    });
}

async function* asJson(facts: HistoryFacts, entries: Entries): AsyncGenerator<readonly string[], void> {
  yield [`${cleanJson(JSON.stringify(facts)).slice(0, -1)},"entries":[`];
  let before = '';
  const json = (piece: EntryPiece): string => {
    // Each half of a surrogate pair that is split between two pieces becomes an escape.
    if (typeof piece === 'string') return cleanJson(JSON.stringify(piece)).slice(1, -1);
    const start = `${before}${JSON.stringify(piece).slice(0, -1)},"text":"`;
    before = '"},';
    return start;
  };
  for await (const pieces of entries) yield pieces.map(json);
  yield [before === '' ? ']}\n' : '"}]}\n'];
}

async function* asText(head: string, lines: AsyncIterable<readonly string[]>): AsyncGenerator<readonly string[], void> {
  yield [head];
  yield* lines;
}

async function* inFull(entries: Entries): AsyncGenerator<readonly string[], void> {
  let cleaner: TextCleaner | undefined;
  const end = (): string => (cleaner ? `${cleaner.end()}\n` : '');
  const text = (piece: EntryPiece): string => {
    if (typeof piece === 'string') return cleaner?.push(piece) ?? '';
    const start = `${end()}${piece.timestamp}\t${piece.role}\t`;
    cleaner = new TextCleaner();
    return start;
  };
  for await (const pieces of entries) yield pieces.map(text);
  yield [end()];
}

async function* oneLineEach(entries: Entries): AsyncGenerator<readonly string[], void> {
  let start: string | undefined;
  let said = '';
  const end = (): string => {
    const short = cleanText(said).replace(/\s+/g, ' ').trim();
    const shown = short.length > line.longest ? `${short.slice(0, line.longest - 1)}…` : short;
    return start === undefined ? '' : `${start}${shown}\n`;
  };
  for await (const pieces of entries)
    for (const piece of pieces) {
      if (typeof piece === 'string') said += piece.slice(0, Math.max(0, line.made - said.length));
      else {
        yield [end()];
        start = `${piece.timestamp}\t${piece.role}\t`;
        said = '';
      }
    }
  yield [end()];
}
