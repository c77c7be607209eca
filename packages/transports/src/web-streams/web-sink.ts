import type { ByteSink } from '../lines/frame-output.ts';
import { prematureClose } from '../lines/stream-failure.ts';

/**
 * Bytes that may wait in the stream before senders have to wait. The limit of the stream itself does not help: that of a `WritableStream` may count
 * chunks, as those of Node do.
 */
const highWaterMark = 64 * 1024;

type Output = Parameters<ByteSink['listen']>[0];

/** Counts the bytes that wait in a web stream. */
abstract class WebSink implements ByteSink {
  readonly #encoder = new TextEncoder();
  #waiting = 0;
  #lastWrite: Promise<void> = Promise.resolve();
  protected output: Output | undefined;

  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when the stream has taken everything that was passed to it, and rejects with its error. */
  get lastWrite(): Promise<void> {
    return this.#lastWrite;
  }

  listen(output: Output): void {
    this.output = output;
  }

  write(text: string): boolean {
    const bytes = this.#encoder.encode(text);
    this.#waiting += bytes.length;
    const written = (): void => {
      const wasFull = this.#waiting > highWaterMark;
      this.#waiting -= bytes.length;
      if (wasFull && this.#waiting <= highWaterMark) this.output?.drained();
    };
    this.#lastWrite = this.send(bytes);
    this.#lastWrite.then(written, (error: unknown) => this.failed(error));
    return this.#waiting <= highWaterMark;
  }

  /** A loop of awaited sends is one batch where the end of the tick comes after all microtasks. */
  soon(callback: () => void): void {
    endOfTick(callback);
  }

  abstract end(): void;
  abstract destroy(): void;
  protected abstract send(bytes: Uint8Array): Promise<void>;
  protected abstract failed(error: unknown): void;
}

/** Writes to a stream that nothing else uses, and closes it. */
export class OwnedSink extends WebSink {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(writable: WritableStream<Uint8Array>) {
    super();
    this.#writer = writable.getWriter();
  }

  override listen(output: Output): void {
    super.listen(output);
    this.#writer.closed.then(
      () => output.gone(),
      (error: unknown) => output.gone(asError(error)),
    );
  }

  end(): void {
    this.#writer.close().catch(ignore);
  }

  destroy(): void {
    this.#writer.abort(prematureClose()).catch(ignore);
  }

  protected send(bytes: Uint8Array): Promise<void> {
    return this.#writer.write(bytes);
  }

  /** `closed` reports the end of the stream, once. */
  protected failed(): void {
    // Nothing to do.
  }
}

/** Writes to a stream of the program, which may write to it and close it, too: locks it only while it writes, and leaves it open. */
export class SharedSink extends WebSink {
  readonly #writable: WritableStream<Uint8Array>;

  constructor(writable: WritableStream<Uint8Array>) {
    super();
    this.#writable = writable;
  }

  end(): void {
    this.lastWrite.then(() => this.output?.gone(), ignore);
  }

  destroy(): void {
    this.output?.gone(prematureClose());
  }

  protected send(bytes: Uint8Array): Promise<void> {
    try {
      const writer = this.#writable.getWriter();
      const written = writer.write(bytes);
      writer.releaseLock();
      return written;
    } catch (error) {
      return Promise.reject(asError(error));
    }
  }

  protected failed(error: unknown): void {
    this.output?.gone(asError(error));
  }
}

const { process } = globalThis as { readonly process?: { readonly nextTick?: (callback: () => void) => void } };
/** Calls back when the messages that were sent so far over web streams have been written. */
export const endOfTick: (callback: () => void) => void = process?.nextTick ?? queueMicrotask;

/** The error of a stream that was broken with any value. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function ignore(): void {
  // The end of the stream is reported elsewhere.
}
