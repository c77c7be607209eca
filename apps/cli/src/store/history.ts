import { type FileHandle, open } from 'node:fs/promises';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { ContentBlock } from '@turnwire/protocol';
import { type LongLine, readLines, undefinedIfMissing } from '@turnwire/machine';
import { contentText } from '../output/content-text.ts';
import { isHistoryEvent } from './history-event.ts';

/** The version of the format; the first line of a history has it. */
export const historySchema = 'turnwire.history.v1';

/**
 * Bytes of the longest line that is read, so that a history is read in bounded memory. Longer ones are not written. A longer
 * message of the agent is printed; the history only records that there was one.
 */
export const longestLine: number = 4 * 2 ** 20;

/** If more characters wait for the disk, callers should wait before they append. */
const muchWaiting = 2 ** 20;

/**
 * Appends the events of a session to its history, one per line; those that come together in one write.
 * A line cut off by a crash or a full disk stays a line of its own, which readers skip.
 */
export class HistoryWriter {
  readonly #file: FileHandle;
  readonly #onWarning: (error: Error) => void;
  #waiting: string[] = [];
  /** Characters waiting to be written. */
  #size = 0;
  #writing: Promise<void> | undefined;
  #isTorn = false;
  #isClosed = false;

  private constructor(file: FileHandle, onWarning: (error: Error) => void) {
    this.#file = file;
    this.#onWarning = onWarning;
  }

  /** @param onWarning called once for each run of writes that fail */
  static async open(path: string, onWarning: (error: Error) => void): Promise<HistoryWriter> {
    const file = await open(path, 'a+', 0o600);
    const writer = new HistoryWriter(file, onWarning);
    const { size } = await file.stat();
    if (size === 0) writer.#put(JSON.stringify({ schema: historySchema }));
    else writer.#isTorn = !(await endsWithNewline(file, size));
    return writer;
  }

  append(event: TranscriptEvent): void {
    if (!this.#isClosed) this.#put(lineOf(event));
  }

  /** Pending while the disk is behind: callers that can wait should, before they append more. */
  get drained(): Promise<void> | undefined {
    return this.#size > muchWaiting ? this.#writing : undefined;
  }

  /** Resolves when everything so far is written, or has failed. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.flush();
    await this.#file.close();
  }

  #put(line: string): void {
    this.#waiting.push(line);
    this.#size += line.length;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    let hasFailed = false;
    while (this.#waiting.length > 0) {
      // Events of the same turn of the event loop go into the same write.
      await new Promise((resolve) => setImmediate(resolve));
      const text = `${this.#isTorn ? '\n' : ''}${this.#waiting.join('\n')}\n`;
      this.#waiting = [];
      this.#size = 0;
      try {
        await this.#file.appendFile(text);
        this.#isTorn = false;
        hasFailed = false;
      } catch (error) {
        this.#isTorn = true;
        if (!hasFailed) this.#onWarning(error as Error);
        hasFailed = true;
      }
    }
    this.#writing = undefined;
  }
}

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

/**
 * Reads a history event by event, see {@link historyLines}.
 * @param onDamage called with the number, from 1, of a line that is left out
 */
export async function* readHistory(
  path: string,
  onDamage: (line: number, damage: HistoryDamage) => void = () => undefined,
): AsyncGenerator<TranscriptEvent, void> {
  for await (const batch of historyLines(path))
    for (const line of batch) {
      if ('event' in line) yield line.event;
      else onDamage(line.number, line.damage);
    }
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

/** The line of an event. An event that is longer than a line may be is stored without its content. */
function lineOf(event: TranscriptEvent): string {
  const line = JSON.stringify(event);
  // A character is at most three bytes.
  if (line.length * 3 <= longestLine || Buffer.byteLength(line) <= longestLine) return line;
  const title = `An event of ${Math.ceil(Buffer.byteLength(line) / 2 ** 20)} MiB (${event.type}) was too long to be kept`;
  if (event.type === 'prompt') {
    const words = JSON.stringify({ ...event, content: event.content.map(asText) });
    const isShort = Buffer.byteLength(words) <= longestLine;
    return isShort ? words : JSON.stringify({ ...event, content: [{ type: 'text', text: `[${title}]` }] });
  }
  if ('message' in event) return JSON.stringify({ ...event, message: title });
  return JSON.stringify({ at: event.at, type: 'remark', severity: 'warning', title } satisfies TranscriptEvent);
}

/** Images and audio are what makes a prompt long. */
function asText(block: ContentBlock): ContentBlock {
  return { type: 'text', text: contentText(block) };
}

async function endsWithNewline(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 10;
}
