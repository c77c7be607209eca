import type { FrameReceiver } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { LineSplitter } from './line-splitter.ts';
import { type Decode, excerptOf } from './partial-line.ts';

/** The handling of a line that cannot be a frame. */
export type NoisePolicy = 'deliver' | 'report';

/** The source of the bytes. */
export interface ByteSource {
  /** The longest possible string, in UTF-16 units. */
  readonly longestText: number;
  readonly decode: Decode;
  /** Called once: from then on passes every chunk, and the end, to `lines`. */
  listen(lines: Pick<FrameLines, 'take' | 'end'>): void;
  pause(): void;
  resume(): void;
  /** Stops reading and frees the source. */
  destroy(): void;
}

interface Ending {
  readonly reason?: Error | undefined;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
/** An object, or an array that is empty or holds objects. A log line such as `[INFO] ready` is neither. */
const frameStart = /^(?:\{|\[\s*[{\]])/;
const frameEnd = /[}\]]$/;

/**
 * The receiving half of a byte stream, which turns chunks into frames synchronously. A chunk that arrives while the receiver is busy is kept, and
 * pauses the source.
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
  /** The reason why nothing more can be sent to the peer, if that lost frames. */
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
      // Pauses only now, because a receiver is seldom busy long enough to receive another chunk.
      this.#waiting.push(chunk);
      this.#isPaused = true;
      this.#source.pause();
      return;
    }
    this.#splitter.feed(chunk);
    this.#run();
  }

  /** Ends after everything that has arrived is delivered. */
  end(reason?: Error): void {
    if (this.#ending !== undefined) return;
    clearTimeout(this.#giveUpTimer);
    this.#ending = { reason: reason ?? this.#loss };
    if (!this.#busy) this.#run();
  }

  /** Ends soon with a reason, and stops reading. */
  giveUp(reason: Error): void {
    queueMicrotask(() => {
      this.end(reason);
      this.#source.destroy();
    });
  }

  /** Ends now and drops everything that waits, because this side disposed of the transport. */
  abandon(): void {
    this.#waiting = [];
    this.#ending ??= { reason: new TurnwireError('connection-closed', 'this side disposed of the transport') };
    clearTimeout(this.#giveUpTimer);
    this.#source.destroy();
    this.#finish();
  }

  /** Ends after a limited time, because the peer cannot be answered any more. Frames that arrive until then are still delivered. */
  endWithin(reason: Error, lost: boolean, milliseconds: number): void {
    if (this.#ending !== undefined) return;
    if (lost) this.#loss = reason;
    this.#giveUpTimer = setTimeout(() => this.giveUp(reason), milliseconds);
    // Only the timers of Node keep a process alive.
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
    for (;;) {
      for (let line = this.#splitter.next(); line !== undefined; line = this.#splitter.next()) {
        const pause = this.#accept(line);
        if (pause !== undefined) return pause;
      }
      const chunk = this.#waiting.shift();
      if (chunk === undefined) return this.#ending === undefined ? undefined : this.#acceptRest();
      this.#splitter.feed(chunk);
    }
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

  /** Some peers omit the last newline: complete text is delivered, anything else was truncated. */
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
