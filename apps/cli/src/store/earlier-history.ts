import { open } from 'node:fs/promises';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import { type LongLine, readLines, undefinedIfMissing } from '@turnwire/machine';
import { isHistoryEvent } from './history-event.ts';

/** The version of the histories that were files; their first line has it. */
export const historySchema = 'turnwire.history.v1';

/** Bytes of the longest event that is read from a file, so that files are read in bounded memory. */
export const longestLine: number = 4 * 2 ** 20;

/** A line of a history: an event with its text, or the damage. */
export type HistoryLine =
  | { readonly number: number; readonly text: string; readonly event: TranscriptEvent }
  | { readonly number: number; readonly damage: HistoryDamage };

/** A line that is not an event, or is too long to be read. */
export type HistoryDamage = 'unreadable' | LongLine;

/**
 * Reads a history line by line, in bounded memory; no lines if there is no file. Rejects if it is of another version.
 * @returns lines in batches; a last line without an end that cannot be read was torn by a crash, and is left out
 */
export async function* historyLines(path: string): AsyncGenerator<readonly HistoryLine[], void> {
  const file = await open(path, 'r').catch(undefinedIfMissing);
  if (!file) return;
  await using _file = file;
  let number = 0;
  let torn: HistoryLine | undefined;
  for await (const lines of readLines(file, longestLine)) {
    const batch: HistoryLine[] = torn ? [torn] : [];
    torn = undefined;
    for (const line of lines) {
      const read = historyLine(line, { number: ++number, path });
      if (read) batch.push(read);
    }
    // The next batch shows whether it is the last line.
    const last = batch.at(-1);
    if (last && 'damage' in last && last.number === number) torn = batch.pop();
    yield batch;
  }
  if (torn && 'damage' in torn && torn.damage !== 'unreadable') yield [torn];
}

/** The object in a line of a history; undefined if it holds none. */
export function parsedLine(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function historyLine(
  line: string | LongLine,
  { number, path }: { readonly number: number; readonly path: string },
): HistoryLine | undefined {
  if (typeof line !== 'string') return { number, damage: line };
  if (line === '' || line === '\r') return undefined;
  const value = parsedLine(line);
  if (value === undefined) return { number, damage: 'unreadable' };
  if ('schema' in value) return void refuseOther(path, value.schema);
  return isHistoryEvent(value) ? { number, text: line, event: value } : { number, damage: 'unreadable' };
}

function refuseOther(path: string, schema: unknown): void {
  if (schema === historySchema) return;
  throw new Error(
    `the history ${path} is of the version ${JSON.stringify(schema)}, and this version reads ${historySchema}`,
  );
}
