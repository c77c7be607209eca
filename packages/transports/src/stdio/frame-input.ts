import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream';
import type { FrameReceiver } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { excerptOf } from './excerpt.ts';
import { LineSplitter } from './line-splitter.ts';
import { streamFailure } from './stream-failure.ts';

/** What becomes of a line that cannot be a frame. */
export type NoisePolicy = 'deliver' | 'report';

interface Ending {
  readonly reason?: Error | undefined;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
/** An object, or an array that is empty or holds objects: a log line such as `[INFO] ready` is neither. */
const frameStart = /^(?:\{|\[\s*[{\]])/;
const frameEnd = /[}\]]$/;

/**
 * The receiving half: bytes of a stream to frames of a receiver, synchronously.
 * A chunk that arrives while the receiver is busy is kept, and pauses the stream.
 */
export class FrameInput {
  readonly #input: Readable;
  readonly #noise: NoisePolicy;
  readonly #splitter: LineSplitter;
  #receiver: FrameReceiver | undefined;
  #waiting: Buffer[] = [];
  /** True before the start, during delivery, and while the receiver's promise is pending. */
  #busy = true;
  #ending: Ending | undefined;
  /** Why nothing more can be said to the peer, when frames were lost by that. */
  #loss: Error | undefined;
  #lastWords: NodeJS.Timeout | undefined;

  constructor(input: Readable, maxFrameBytes: number, noise: NoisePolicy) {
    this.#input = input;
    this.#noise = noise;
    this.#splitter = new LineSplitter(maxFrameBytes, (report) => this.#receiver?.warning(report));
    // Listens from the start: a stream that loses its process is resumed by Node, and would drop its data.
    input.on('data', this.#take);
    finished(input, { writable: false }, (error) => {
      this.end(error ? streamFailure('reading from the peer failed', error) : undefined);
    });
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    process.nextTick(this.#run);
  }

  /** Ends once everything that has arrived is delivered. */
  end(reason?: Error): void {
    if (this.#ending !== undefined) return;
    clearTimeout(this.#lastWords);
    this.#ending = { reason: reason ?? this.#loss };
    if (!this.#busy) this.#run();
  }

  /** Ends soon, and stops listening: the connection is given up. */
  giveUp(reason: Error): void {
    process.nextTick(() => {
      this.end(reason);
      this.#input.destroy();
    });
  }

  /** Ends now, whatever waits: this side has no more interest. */
  abandon(): void {
    this.#waiting = [];
    this.#ending ??= { reason: new TurnwireError('connection-closed', 'this side disposed of the transport') };
    clearTimeout(this.#lastWords);
    this.#input.destroy();
    this.#finish();
  }

  /** The peer cannot be answered any more. What it still says is taken, for a bounded time. */
  expectLastWords(reason: Error, lost: boolean, milliseconds: number): void {
    if (this.#ending !== undefined) return;
    if (lost) this.#loss = reason;
    this.#lastWords = setTimeout(() => this.giveUp(reason), milliseconds).unref();
  }

  readonly #take = (data: Buffer | string): void => {
    if (this.#ending !== undefined) return;
    const chunk = typeof data === 'string' ? Buffer.from(data) : data;
    if (this.#busy) {
      // Only now, since a receiver is seldom busy for long enough.
      this.#waiting.push(chunk);
      this.#input.pause();
      return;
    }
    this.#splitter.feed(chunk);
    this.#run();
  };

  readonly #run = (): void => {
    if (this.#receiver === undefined) return;
    this.#busy = true;
    const pause = this.#deliver();
    if (pause !== undefined) {
      void pause.then(this.#run, this.#run);
      return;
    }
    this.#busy = false;
    if (this.#ending !== undefined) this.#finish();
    else if (this.#input.isPaused()) this.#input.resume();
  };

  #deliver(): Promise<void> | undefined {
    do {
      for (let line = this.#splitter.next(); line !== undefined; line = this.#splitter.next()) {
        const pause = this.#accept(line);
        if (pause !== undefined) return pause;
      }
    } while (this.#refill());
    return this.#ending === undefined ? undefined : this.#acceptRest();
  }

  #refill(): boolean {
    const chunk = this.#waiting.shift();
    if (chunk !== undefined) this.#splitter.feed(chunk);
    return chunk !== undefined;
  }

  #accept(line: string): Promise<void> | undefined {
    if (line.charCodeAt(0) === openBrace && line.charCodeAt(line.length - 1) === closeBrace) {
      return this.#receiver?.frame(line);
    }
    // trim also removes the byte order mark and the carriage return of CRLF
    const text = line.trim();
    if (text === '') return undefined;
    if (this.#noise === 'deliver' || frameStart.test(text)) return this.#receiver?.frame(text);
    this.#receiver?.warning({ kind: 'noise', bytes: Buffer.byteLength(line), excerpt: excerptOf(text) });
    return undefined;
  }

  /** Peers forget the last newline: what looks whole is taken, what does not was cut off. */
  #acceptRest(): Promise<void> | undefined {
    const rest = this.#splitter.takeRest();
    if (rest === undefined) return undefined;
    const text = rest.read().trim();
    if (text === '' || (frameStart.test(text) && frameEnd.test(text))) {
      rest.clear();
      return this.#accept(text);
    }
    const isNoise = this.#noise === 'report' && !frameStart.test(text);
    this.#receiver?.warning(rest.takeWarning(isNoise ? 'noise' : 'truncated'));
    return undefined;
  }

  #finish(): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.end(this.#ending?.reason);
  }
}
