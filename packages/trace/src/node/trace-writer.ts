import { type PendingLine, PendingLines } from './pending-lines.ts';
import { type Redaction, redactValue } from '../redact-frame.ts';
import { RotatingFile } from './rotating-file.ts';
import type { FrameFlaw, TraceHeader, TraceNote } from '../trace-format.ts';
import { frameLine, headerLine, redactionOf } from '../trace-lines.ts';

/** Options of a trace writer. */
export interface TraceOptions {
  /** The trace file. An existing file is renamed to `path.1`, and missing folders are created. */
  readonly path: string;
  /** Maximum size of a file in bytes before it is rotated. Default 50 MiB. */
  readonly maximumBytes?: number | undefined;
  /** How many full files to keep. Default 3. */
  readonly keep?: number | undefined;
  /** Further fields of the header, such as names and the command. */
  readonly header?: Partial<TraceHeader> | undefined;
  /** Whether to record what the user says. Default true. */
  readonly keepPrompts?: boolean | undefined;
  /** Texts to hide wherever they occur, such as the values of the agent's environment variables. Texts under six characters are ignored. */
  readonly secrets?: readonly string[] | undefined;
  /** UTF-16 units of frames that may wait for the disk; more are dropped and counted. Default 8 Mi. */
  readonly maximumPending?: number | undefined;
  /** Called once with the reason why tracing stopped: the disk is full, or the file cannot be written. The connection continues. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** Writes a trace. Its methods never throw, reject or block. */
export interface TraceWriter extends AsyncDisposable {
  /** The `tap` option for launching an agent. Invalid lines are recorded with their flaw. */
  readonly tap: (direction: 'in' | 'out', frame: string, flaw?: FrameFlaw) => void;
  /** Records an event that is not a frame. */
  note(note: TraceNote): void;
  /** The number of lines lost because the disk was too slow. */
  readonly dropped: number;
  /** Writes all pending lines. Resolves when they are written, or cannot be. */
  close(): Promise<void>;
}

/**
 * Starts a trace of a connection: a file of JSON lines that only its owner can read (mode 0600), without environment values, headers,
 * credentials and keys. Redaction goes by field names and by the form of texts: a secret within a conversation is recorded unless it is
 * in `secrets`.
 */
export function traceWriter(options: TraceOptions): TraceWriter {
  return new FileTraceWriter(options);
}

class FileTraceWriter implements TraceWriter {
  readonly tap: TraceWriter['tap'];
  readonly #start = performance.now();
  readonly #file: RotatingFile;
  readonly #pending: PendingLines;
  readonly #redaction: Redaction;
  readonly #options: TraceOptions;
  #state: 'open' | 'closed' | 'failed' = 'open';
  #writing: Promise<void> | undefined;

  constructor(options: TraceOptions) {
    const { path, maximumBytes = 50 * 2 ** 20, keep = 3 } = options;
    this.#options = options;
    this.#redaction = redactionOf(options);
    this.#file = new RotatingFile({ path, maximumBytes, keep, header: headerLine(options.header, this.#redaction) });
    this.#pending = new PendingLines(options.maximumPending ?? 8 * 2 ** 20);
    this.tap = (direction, text, flaw) =>
      this.#put({ at: this.#now(), direction, text, ...(flaw !== undefined && { flaw }) });
  }

  get dropped(): number {
    return this.#pending.dropped;
  }

  note(note: TraceNote): void {
    this.#put({ at: this.#now(), note });
  }

  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    await this.#writing;
    await this.#file.close().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #now(): number {
    return Math.round((performance.now() - this.#start) * 1000) / 1000;
  }

  #put(line: PendingLine): void {
    if (this.#state !== 'open') return;
    this.#pending.put(line);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    try {
      // Not in the tick of the frame: delivering it comes first.
      await new Promise((resolve) => setImmediate(resolve));
      while (!this.#pending.isEmpty) await this.#file.write(this.#pending.take().map((line) => this.#lineOf(line)));
    } catch (error) {
      this.#fail(error as Error);
    }
    // In the same tick as the last check of the queue, so that no new line is missed.
    this.#writing = undefined;
  }

  #fail({ message }: Error): void {
    this.#state = 'failed';
    this.#pending.clear();
    this.#options.onProblem?.(
      `Tracing stopped, everything else continues: ${this.#options.path} cannot be written (${message})`,
    );
  }

  #lineOf(line: PendingLine): string {
    const json = JSON.stringify(this.#serialisable(line));
    const isTooLong = Buffer.byteLength(json) > this.#file.longestLine;
    return isTooLong ? JSON.stringify({ at: line.at, type: 'dropped', lines: 1 }) : json;
  }

  #serialisable(line: PendingLine): object {
    const { at } = line;
    if ('dropped' in line) return { at, type: 'dropped', lines: line.dropped };
    if ('note' in line) return { at, ...(redactValue(line.note, this.#redaction) as object) };
    return frameLine(line, this.#redaction);
  }
}
