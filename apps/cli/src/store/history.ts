import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ThreadEvent } from '@agentwire/client/thread';

/** The version of the format; the first line of a history says it. */
export const historySchema = 'agentwire.history.v1';

/**
 * Appends what happens in a session to its history, one event a line, those that come together in one write.
 * What was cut off by a crash or a full disk becomes a line of its own, which readers skip.
 */
export class HistoryWriter {
  readonly #file: FileHandle;
  readonly #onTrouble: (error: Error) => void;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #isTorn = false;
  #isClosed = false;

  private constructor(file: FileHandle, onTrouble: (error: Error) => void) {
    this.#file = file;
    this.#onTrouble = onTrouble;
  }

  /** @param onTrouble called once for each run of writes that fail */
  static async open(path: string, onTrouble: (error: Error) => void): Promise<HistoryWriter> {
    const file = await open(path, 'a+', 0o600);
    const writer = new HistoryWriter(file, onTrouble);
    const { size } = await file.stat();
    if (size === 0) writer.#put(JSON.stringify({ schema: historySchema }));
    else writer.#isTorn = !(await endsWithNewline(file, size));
    return writer;
  }

  append(event: ThreadEvent): void {
    if (!this.#isClosed) this.#put(JSON.stringify(event));
  }

  /** Resolves when everything so far is written, or could not be. */
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
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    let hasFailed = false;
    while (this.#waiting.length > 0) {
      // What comes in the same turn of the event loop goes into the same write.
      await new Promise((resolve) => setImmediate(resolve));
      const text = `${this.#isTorn ? '\n' : ''}${this.#waiting.join('\n')}\n`;
      this.#waiting = [];
      try {
        await this.#file.appendFile(text);
        this.#isTorn = false;
        hasFailed = false;
      } catch (error) {
        this.#isTorn = true;
        if (!hasFailed) this.#onTrouble(error as Error);
        hasFailed = true;
      }
    }
    this.#writing = undefined;
  }
}

/** What a history holds. */
export interface HistoryContent {
  readonly events: readonly ThreadEvent[];
  /** Lines that could not be read, by number from 1. The last one is not counted: a crash may tear it. */
  readonly damagedLines: readonly number[];
}

/** Reads a history; empty if there is none. Rejects if it is of another version. */
export async function readHistory(path: string): Promise<HistoryContent> {
  const events: ThreadEvent[] = [];
  const damaged: number[] = [];
  let number = 0;
  for await (const line of createInterface({ input: await readable(path), crlfDelay: Infinity })) {
    number++;
    if (line === '') continue;
    const value = parsed(line);
    if (value === undefined) damaged.push(number);
    else if ('schema' in value) refuseOther(path, value.schema);
    else events.push(value as ThreadEvent);
  }
  return { events, damagedLines: damaged.filter((each) => each !== number) };
}

async function readable(path: string): Promise<NodeJS.ReadableStream> {
  try {
    const file = await open(path, 'r');
    return file.createReadStream({ encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Readable.from([]);
  }
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function refuseOther(path: string, schema: unknown): void {
  if (schema === historySchema) return;
  throw new Error(
    `the history ${path} is of the version ${JSON.stringify(schema)}, and this version reads ${historySchema}`,
  );
}

async function endsWithNewline(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 10;
}
