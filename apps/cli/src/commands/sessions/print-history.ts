import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { OutputRoom } from '../../output/output-room.ts';
import { readHistory } from '../../store/history.ts';
import { cleanJson, cleanText } from '../../terminal/clean-text.ts';
import { existingSession } from '../session-place.ts';
import { type HistoryEntry, historyEntries } from './history-entries.ts';

/** What of a history to print. */
export interface HistoryGiven {
  /** How many entries, the last ones; absent: all. */
  readonly limit?: number | undefined;
  /** Not cut to a line each. */
  readonly isFull: boolean;
}

/** The longest line of an entry, in characters, and what is read to make it: white space is taken together. */
const line = { longest: 200, made: 4_000 } as const;

/** Prints what was said in a session, the last entries first cut to a line each, or in full. Resolves with the exit code. */
export async function printHistory(
  name: string | undefined,
  { limit = Infinity, isFull }: HistoryGiven,
  { format, ...options }: GlobalOptions,
): Promise<number> {
  const { store, record } = await existingSession({ ...options, format }, name);
  const path = store.historyOf(record.id);
  // Read twice, for what comes first is how many there are, and all of it may be more than fits in memory.
  const total = await countedEntries(path);
  const most = isFull || format === 'json' ? Infinity : line.made;
  const facts = { id: record.id, sessionId: record.sessionId, count: Math.min(limit, total), total };
  const entries = lastOf(historyEntries(readHistory(path), most), facts);
  if (format === 'json') await print(asJson(facts, entries));
  else await print(asLines(facts, entries, { isFull, hasHead: format === 'text' }));
  return exitCodes.ok;
}

interface HistoryFacts {
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly count: number;
  readonly total: number;
}

async function countedEntries(path: string): Promise<number> {
  const damaged: number[] = [];
  let count = 0;
  for await (const _ of historyEntries(
    readHistory(path, (number) => damaged.push(number)),
    0,
  ))
    count++;
  if (damaged.length > 0) complain(`${path}: lines ${damaged.join(', ')} cannot be read and are left out`);
  return count;
}

/** The last entries of those that were counted: there may be more by now. */
async function* lastOf(
  entries: AsyncIterable<HistoryEntry>,
  { count, total }: HistoryFacts,
): AsyncGenerator<HistoryEntry, void> {
  let number = 0;
  for await (const entry of entries) {
    number++;
    if (number > total - count) yield entry;
    if (number === total) return;
  }
}

async function* asJson(facts: HistoryFacts, entries: AsyncIterable<HistoryEntry>): AsyncGenerator<string, void> {
  yield `${cleanJson(JSON.stringify(facts)).slice(0, -1)},"entries":[`;
  let before = '';
  for await (const entry of entries) {
    yield `${before}${cleanJson(JSON.stringify(entry))}`;
    before = ',';
  }
  yield ']}\n';
}

async function* asLines(
  { id, count, total }: HistoryFacts,
  entries: AsyncIterable<HistoryEntry>,
  { isFull, hasHead }: { readonly isFull: boolean; readonly hasHead: boolean },
): AsyncGenerator<string, void> {
  if (hasHead) yield `session: ${id} (${count}/${total} shown)\n`;
  for await (const entry of entries) yield `${cleanText(entryText(entry, isFull))}\n`;
}

function entryText({ timestamp, role, text }: HistoryEntry, isFull: boolean): string {
  const short = isFull ? text : text.replace(/\s+/g, ' ');
  const isCut = !isFull && short.length > line.longest;
  return `${timestamp}\t${role}\t${isCut ? `${short.slice(0, line.longest - 1)}…` : short}`;
}

/** At the speed of whoever reads. */
async function print(texts: AsyncIterable<string>): Promise<void> {
  const room = new OutputRoom(process.stdout, new AbortController().signal);
  for await (const text of texts) {
    process.stdout.write(text);
    await room.wait();
  }
}
