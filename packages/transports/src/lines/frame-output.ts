import { TurnwireError } from '@turnwire/protocol';
import { Backpressure } from '../backpressure.ts';
import { isPrematureClose, streamFailure } from './stream-failure.ts';

/** Queued text that is sent before the end of its tick, in UTF-16 units: a loop of awaited sends never reaches the end of its tick. */
const batchText = 64 * 1024;

/** The destination of the bytes. */
export interface ByteSink {
  /** Bytes that were accepted but not sent yet. */
  readonly waiting: number;
  /** Called once: from then on reports when more can be written, and the end. */
  listen(output: { readonly drained: () => void; readonly gone: (error?: Error) => void }): void;
  /** Returns false when no more should be written until `drained`. */
  write(text: string): boolean;
  /** Calls back at the end of this tick. */
  soon(callback: () => void): void;
  end(): void;
  destroy(): void;
}

/** Receives the end of the sending half, unless it was closed in order. */
export interface OutputWatcher {
  /** Nothing more can be sent to the peer. `lost` says whether that lost frames. */
  broken(reason: TurnwireError, lost: boolean): void;
  /** The output exceeded its limit, so the connection was destroyed. */
  overrun(reason: TurnwireError): void;
}

/** The sending half. Frames queued in one tick leave in one write. */
export class FrameOutput {
  readonly #sink: ByteSink;
  readonly #maxBuffered: number;
  readonly #watcher: OutputWatcher;
  readonly #backpressure = new Backpressure();
  readonly #gone: Promise<void>;
  #frames: string[] = [];
  #text = 0;
  #flushIsDue = false;
  #isBlocked = false;
  #state: 'open' | 'closing' | 'gone' = 'open';
  #closed: Promise<void> | undefined;

  constructor(sink: ByteSink, maxBuffered: number, watcher: OutputWatcher) {
    this.#sink = sink;
    this.#maxBuffered = maxBuffered;
    this.#watcher = watcher;
    this.#gone = new Promise((resolve) => {
      const gone = (error?: Error): void => {
        const lost = this.#text + this.#sink.waiting > 0;
        const before = this.#leave();
        resolve();
        if (before === 'gone' || (before === 'closing' && error === undefined)) return;
        const cause = error ?? new Error('the stream was ended by other code');
        watcher.broken(streamFailure('writing to the peer failed', cause), lost || !isPrematureClose(cause));
      };
      sink.listen({ drained: this.#drained, gone });
    });
  }

  send(frame: string): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined;
    this.#frames.push(frame);
    this.#text += frame.length + 1;
    if (this.#text >= batchText) this.#flush();
    else if (!this.#flushIsDue && !this.#isBlocked) {
      this.#flushIsDue = true;
      this.#sink.soon(this.#flush);
    }
    return this.#isBlocked ? this.#wait() : undefined;
  }

  close(milliseconds: number): Promise<void> {
    this.#closed ??= this.#close(milliseconds);
    return this.#closed;
  }

  async #close(milliseconds: number): Promise<void> {
    if (this.#state === 'open') {
      this.#flush();
      this.#state = 'closing';
      this.#sink.end();
    }
    const timer = setTimeout(() => this.#sink.destroy(), milliseconds);
    await this.#gone;
    clearTimeout(timer);
  }

  readonly #flush = (): void => {
    this.#flushIsDue = false;
    if (this.#text === 0 || this.#state !== 'open') return;
    this.#frames.push('');
    const batch = this.#frames.join('\n');
    this.#drop();
    // A write that completes at once does not block, whatever its length.
    this.#isBlocked = !this.#sink.write(batch) && this.#sink.waiting > 0;
  };

  readonly #drained = (): void => {
    this.#isBlocked = false;
    this.#flush();
    if (!this.#isBlocked) this.#backpressure.release();
  };

  #wait(): Promise<void> | undefined {
    const waiting = this.#sink.waiting + this.#text;
    if (waiting <= this.#maxBuffered) return this.#backpressure.wait();
    this.#overrun(waiting);
    return undefined;
  }

  #overrun(waiting: number): void {
    this.#leave();
    this.#sink.destroy();
    const message =
      `${waiting} bytes wait for a peer that does not read, more than maxBufferedBytes (${this.#maxBuffered}); ` +
      'await what send returns, or raise the limit';
    this.#watcher.overrun(new TurnwireError('limit-exceeded', message));
  }

  /** Stops all writing. Returns the state before. */
  #leave(): 'open' | 'closing' | 'gone' {
    const before = this.#state;
    this.#state = 'gone';
    this.#drop();
    this.#isBlocked = false;
    this.#backpressure.release();
    return before;
  }

  #drop(): void {
    this.#frames = [];
    this.#text = 0;
  }
}
