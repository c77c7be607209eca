import type { FrameReceiver } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { LineSplitter } from './line-splitter.ts';
import { type Decode, excerptOf } from './partial-line.ts';

/** What becomes of a line that cannot be a frame. */
export type NoisePolicy = 'deliver' | 'report';

/** Where the bytes come from. */
export interface ByteSource {
  /** The longest string there can be, in UTF-16 units. */
  readonly longestText: number;
  readonly decode: Decode;
  /** Called once: from now on hands over every chunk, and the end. */
  listen(lines: Pick<FrameLines, 'take' | 'end'>): void;
  pause(): void;
  resume(): void;
  /** Gives the source up: nothing more is read. */
  destroy(): void;
}

interface Ending {
  readonly reason?: Error | undefined;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
/** An object, or an array that is empty or holds objects: a log line such as `[INFO] ready` is neither. */
const frameStart = /^(?:\{|\[\s*[{\]])/;
const frameEnd = /[}\]]$/;

/**
 * The receiving half of a byte stream: chunks to frames of a receiver, synchronously.
 * A chunk that arrives while the receiver is busy is kept, and pauses the source.
 */
export class FrameLines {
  readonly #source: ByteSource;
  readonly #noise: NoisePolicy;
  readonly #splitter: LineSplitter;
  #receiver: FrameReceiver | undefined;
  #waiting: Uint8Array[] = [];
  #isPaused = false;
  /** True before the start, during delivery, and while the receiver's promise is pending. */
  #busy = true;
  #ending: Ending | undefined;
  /** Why nothing more can be sent to the peer, when frames were lost by that. */
  #loss: Error | undefined;
  #giveUpTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: ByteSource, maxFrameBytes: number, noise: NoisePolicy) {
    this.#source = source;
    this.#noise = noise;
    this.#splitter = new LineSplitter(maxFrameBytes, source.decode, (report) => this.#receiver?.warning(report));
    source.listen(this);
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    queueMicrotask(this.#run);
  }

  take(chunk: Uint8Array): void {
    if (this.#ending !== undefined) return;
    if (this.#busy) {
      // Only now, since a receiver is seldom busy for long enough.
      this.#waiting.push(chunk);
      this.#isPaused = true;
      this.#source.pause();
      return;
    }
    this.#splitter.feed(chunk);
    this.#run();
  }

  /** Ends once everything that has arrived is delivered. */
  end(reason?: Error): void {
    if (this.#ending !== undefined) return;
    clearTimeout(this.#giveUpTimer);
    this.#ending = { reason: reason ?? this.#loss };
    if (!this.#busy) this.#run();
  }

  /** Ends soon, and stops reading: the connection is given up. */
  giveUp(reason: Error): void {
    queueMicrotask(() => {
      this.end(reason);
      this.#source.destroy();
    });
  }

  /** Ends now, whatever waits: this side has no more interest. */
  abandon(): void {
    this.#waiting = [];
    this.#ending ??= { reason: new TurnwireError('connection-closed', 'this side disposed of the transport') };
    clearTimeout(this.#giveUpTimer);
    this.#source.destroy();
    this.#finish();
  }

  /** The peer cannot be answered any more. What it still sends is taken, for a bounded time. */
  endWithin(reason: Error, lost: boolean, milliseconds: number): void {
    if (this.#ending !== undefined) return;
    if (lost) this.#loss = reason;
    this.#giveUpTimer = setTimeout(() => this.giveUp(reason), milliseconds);
    // Only Node's timers keep a process alive.
    (this.#giveUpTimer as { unref?: () => void }).unref?.();
  }

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
    else if (this.#isPaused) {
      this.#isPaused = false;
      this.#source.resume();
    }
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
    const bytes = new TextEncoder().encode(line).length;
    this.#receiver?.warning({ kind: 'noise', bytes, excerpt: excerptOf(text) });
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
