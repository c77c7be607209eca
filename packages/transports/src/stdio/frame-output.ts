import type { Writable } from 'node:stream';
import { finished } from 'node:stream';
import { TurnwireError } from '@turnwire/protocol';
import { Room } from '../room.ts';
import { isPrematureClose, streamFailure } from './stream-failure.ts';

/** Text queued in one tick beyond which it leaves at once: a loop of awaited sends never gets to the end of its tick. */
const batchText = 64 * 1024;

/** What the sending half tells of its end, unless it was closed in order. */
export interface OutputWatcher {
  /** The peer cannot be told anything any more. `lost` says whether frames were lost by that. */
  broken(reason: TurnwireError, lost: boolean): void;
  /** More waits than may wait, so the wire was cut. */
  overrun(reason: TurnwireError): void;
}

/** The sending half: frames queued in one tick leave in one write. */
export class FrameOutput {
  readonly #output: Writable;
  readonly #write: (text: string, encoding: 'utf8') => boolean;
  readonly #maxBuffered: number;
  readonly #watcher: OutputWatcher;
  readonly #room = new Room();
  readonly #gone: Promise<void>;
  #frames: string[] = [];
  #text = 0;
  #flushIsDue = false;
  #isBlocked = false;
  #state: 'open' | 'closing' | 'gone' = 'open';
  #closed: Promise<void> | undefined;

  constructor(output: Writable, maxBuffered: number, watcher: OutputWatcher) {
    this.#output = output;
    // Taken now: whoever replaces `output.write` later diverts others, not the protocol.
    this.#write = output.write.bind(output);
    this.#maxBuffered = maxBuffered;
    this.#watcher = watcher;
    output.on('drain', this.#drained);
    this.#gone = new Promise((resolve) => {
      finished(output, { readable: false }, (error) => {
        this.#settle(error ?? undefined);
        resolve();
      });
    });
  }

  send(frame: string): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined;
    this.#frames.push(frame);
    this.#text += frame.length + 1;
    if (this.#text >= batchText) this.#flush();
    else if (!this.#flushIsDue && !this.#isBlocked) this.#flushSoon();
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
      this.#output.end();
    }
    const timer = setTimeout(() => this.#output.destroy(), milliseconds);
    await this.#gone;
    clearTimeout(timer);
  }

  #flushSoon(): void {
    this.#flushIsDue = true;
    process.nextTick(this.#flush);
  }

  readonly #flush = (): void => {
    this.#flushIsDue = false;
    if (this.#text === 0 || this.#state !== 'open') return;
    this.#frames.push('');
    const batch = this.#frames.join('\n');
    this.#drop();
    // A write that is done at once leaves nothing behind, however long it was.
    this.#isBlocked = !this.#write(batch, 'utf8') && this.#output.writableLength > 0;
  };

  readonly #drained = (): void => {
    this.#isBlocked = false;
    this.#flush();
    if (!this.#isBlocked) this.#room.release();
  };

  #wait(): Promise<void> | undefined {
    const waiting = this.#output.writableLength + this.#text;
    if (waiting <= this.#maxBuffered) return this.#room.wait();
    this.#overrun(waiting);
    return undefined;
  }

  #overrun(waiting: number): void {
    this.#leave();
    this.#output.destroy();
    const message =
      `${waiting} bytes wait for a peer that does not read, more than maxBufferedBytes (${this.#maxBuffered}); ` +
      'await what send returns, or raise the limit';
    this.#watcher.overrun(new TurnwireError('limit-exceeded', message));
  }

  #settle(error: Error | undefined): void {
    const { writableLength } = this.#output;
    const lost = this.#text + writableLength > 0;
    const before = this.#leave();
    if (before === 'gone' || (before === 'closing' && error === undefined)) return;
    const cause = error ?? new Error('the stream was ended by somebody else');
    this.#watcher.broken(streamFailure('writing to the peer failed', cause), lost || !isPrematureClose(cause));
  }

  /** Nothing will be written any more. Returns the state before. */
  #leave(): 'open' | 'closing' | 'gone' {
    const before = this.#state;
    this.#state = 'gone';
    this.#drop();
    this.#isBlocked = false;
    this.#room.release();
    return before;
  }

  #drop(): void {
    this.#frames = [];
    this.#text = 0;
  }
}
