import { type PendingLine, PendingLines } from './pending-lines.ts';
import { type Redaction, redactValue } from '../redact-frame.ts';
import { RotatingFile } from './rotating-file.ts';
import type { FrameFlaw, TraceHeader, TraceNote } from '../trace-format.ts';
import { frameLine, headerLine, redactionOf } from '../trace-lines.ts';

/** Where to trace to, and how much. */
export interface TraceOptions {
  /** The file. What is there already moves to `path.1`. Folders are made. */
  readonly path: string;
  /** Bytes a file may have before it moves to `path.1`. Default 50 MiB. */
  readonly maximumBytes?: number | undefined;
  /** How many full files are kept besides. Default 3. */
  readonly keep?: number | undefined;
  /** What else the header says: names, the command. */
  readonly header?: Partial<TraceHeader> | undefined;
  /** Whether to write down what the user says. Default true. */
  readonly keepPrompts?: boolean | undefined;
  /** Texts to hide wherever they stand, such as the values of variables the agent was given. Those under six characters are not looked for. */
  readonly secrets?: readonly string[] | undefined;
  /** UTF-16 units of frames that may wait for the disk; what comes on top is dropped and counted. Default 8 Mi. */
  readonly maximumPending?: number | undefined;
  /** Hears, once, why tracing stopped: the disk is full, the file may not be written. The wire continues. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** Writes a trace. Nothing here throws, rejects or waits. */
export interface TraceWriter extends AsyncDisposable {
  /** For `tap` of the options an agent is launched with. Lines that are not as they should be are kept with what is wrong. */
  readonly tap: (direction: 'in' | 'out', frame: string, flaw?: FrameFlaw) => void;
  /** Writes down something that is not a frame. */
  note(note: TraceNote): void;
  /** Lines that were lost so far, because the disk was too slow. */
  readonly dropped: number;
  /** Writes out what waits. Resolves when it is on its way to the disk, or cannot be. */
  close(): Promise<void>;
}

/**
 * Begins a trace of a connection: a file of JSON lines, readable for its owner alone (mode 0600), without environment values, headers,
 * credentials and keys. Redaction goes by the names of fields and the look of texts: a secret in the middle of a conversation is kept
 * unless it is among `secrets`.
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
      // Not in the tick of the frame: what it is for goes first.
      await new Promise((resolve) => setImmediate(resolve));
      while (!this.#pending.isEmpty) await this.#file.write(this.#pending.take().map((line) => this.#lineOf(line)));
    } catch (error) {
      this.#fail(error as Error);
    }
    // In the same tick as the last look at what waits, so that nothing that comes now is forgotten.
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
    const json = JSON.stringify(this.#readable(line));
    const isTooLong = Buffer.byteLength(json) > this.#file.longestLine;
    return isTooLong ? JSON.stringify({ at: line.at, type: 'dropped', lines: 1 }) : json;
  }

  #readable(line: PendingLine): object {
    const { at } = line;
    if ('dropped' in line) return { at, type: 'dropped', lines: line.dropped };
    if ('note' in line) return { at, ...(redactValue(line.note, this.#redaction) as object) };
    return frameLine(line, this.#redaction);
  }
}
