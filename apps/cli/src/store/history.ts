import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ThreadEvent } from '@turnwire/client/thread';

/** The version of the format; the first line of a history says it. */
export const historySchema = 'turnwire.history.v1';

/** Above so many characters that wait for the disk, whoever appends should wait, too. */
const muchWaiting = 2 ** 20;

/**
 * Appends what happens in a session to its history, one event a line, those that come together in one write.
 * What was cut off by a crash or a full disk becomes a line of its own, which readers skip.
 */
export class HistoryWriter {
  readonly #file: FileHandle;
  readonly #onTrouble: (error: Error) => void;
  #waiting: string[] = [];
  /** Characters in what waits. */
  #size = 0;
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

  /** Pending while the disk is behind: whoever can wait should, before more is appended. */
  get room(): Promise<void> | undefined {
    return this.#size > muchWaiting ? this.#writing : undefined;
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
    this.#size += line.length;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    let hasFailed = false;
    while (this.#waiting.length > 0) {
      // What comes in the same turn of the event loop goes into the same write.
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
        if (!hasFailed) this.#onTrouble(error as Error);
        hasFailed = true;
      }
    }
    this.#writing = undefined;
  }
}

/**
 * Reads a history event by event; there are none if there is no file. Rejects if it is of another version.
 * @param onDamage called with the number, from 1, of a line that cannot be read; not for the last one, which a crash may tear
 */
export async function* readHistory(
  path: string,
  onDamage: (line: number) => void = () => undefined,
): AsyncGenerator<ThreadEvent, void> {
  let number = 0;
  let damaged: number | undefined;
  for await (const line of createInterface({ input: await readable(path), crlfDelay: Infinity })) {
    number++;
    if (damaged !== undefined) onDamage(damaged);
    damaged = undefined;
    if (line === '') continue;
    const value = parsedLine(line);
    if (value === undefined) damaged = number;
    else if ('schema' in value) refuseOther(path, value.schema);
    else yield value as ThreadEvent;
  }
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

/** The object in a line of a history; undefined if it holds none. */
export function parsedLine(line: string): object | undefined {
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
