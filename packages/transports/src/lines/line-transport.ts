import type { FrameReceiver, Transport } from '@turnwire/protocol';
import type { ByteSource, NoisePolicy } from './frame-lines.ts';
import { FrameLines } from './frame-lines.ts';
import type { ByteSink } from './frame-output.ts';
import { FrameOutput } from './frame-output.ts';
import { GuardedReceiver } from '../guarded-receiver.ts';

/** Limits of a transport over byte streams. */
export interface LineLimits {
  /** Longest frame received, in bytes. A longer one is skipped and reported as `oversize`. Default 64 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /**
   * Limit of text that a peer has not read yet, in bytes (a stream that counts UTF-16 units counts those). Beyond it the connection is ended and the
   * receiver ends with `limit-exceeded`. Default 256 MiB.
   */
  readonly maxBufferedBytes?: number | undefined;
  /**
   * Time limit for the end of a connection, in milliseconds: after `close`, for the peer to read the queued frames; after the peer has stopped
   * reading, for the frames that it still sends. Default 2,000.
   */
  readonly flushTimeout?: number | undefined;
  /**
   * Handling of a line that is neither a JSON object nor an array of objects. An agent needs `deliver`, since it must answer with a parse error; a
   * client that reads an agent's stdout reports such lines as `noise` and does not answer. Default `deliver`.
   */
  readonly noise?: NoisePolicy;
}

const mebibyte = 1024 * 1024;

/** Frames as lines over two byte streams. */
export class LineTransport implements Transport {
  readonly #input: FrameLines;
  readonly #output: FrameOutput;
  readonly #flushTimeout: number;

  /** @throws RangeError when `maxFrameBytes` is not at least 1 */
  constructor(source: ByteSource, sink: ByteSink, limits: LineLimits) {
    const { maxFrameBytes = 64 * mebibyte, maxBufferedBytes = 256 * mebibyte, flushTimeout = 2_000 } = limits;
    if (!(maxFrameBytes >= 1)) throw new RangeError(`maxFrameBytes is ${maxFrameBytes}; it must be at least 1`);
    const longest = Math.min(Math.floor(maxFrameBytes), source.longestText);
    const input = new FrameLines(source, longest, limits.noise ?? 'deliver');
    this.#input = input;
    this.#flushTimeout = flushTimeout;
    this.#output = new FrameOutput(sink, maxBufferedBytes, {
      broken: (reason, lost) => input.endWithin(reason, lost, flushTimeout),
      overrun: (reason) => input.giveUp(reason),
    });
  }

  start(receiver: FrameReceiver): void {
    this.#input.start(new GuardedReceiver(receiver, (reason) => this.#input.giveUp(reason)));
  }

  send(frame: string): Promise<void> | undefined {
    return this.#output.send(frame);
  }

  close(): Promise<void> {
    return this.#output.close(this.#flushTimeout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    this.#input.abandon();
  }
}
