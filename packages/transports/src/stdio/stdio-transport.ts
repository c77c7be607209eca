import { constants } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { FrameReceiver, Transport } from '@turnwire/protocol';
import type { NoisePolicy } from './frame-input.ts';
import { FrameInput } from './frame-input.ts';
import { FrameOutput } from './frame-output.ts';

/** How much a stdio transport puts up with. */
export interface StdioLimits {
  /** Longest frame received, in bytes. A longer one is skipped and reported as `oversize`. Default 64 MiB. */
  readonly maxFrameBytes?: number;
  /**
   * Text waiting for a peer that does not read, in bytes (a stream that counts UTF-16 units counts those).
   * Beyond it the wire is cut and the receiver ends with `limit-exceeded`. Default 256 MiB.
   */
  readonly maxBufferedBytes?: number;
  /**
   * How long a wire on its way out is waited for, in milliseconds: on `close` for the peer to read what is
   * queued, and once it has stopped reading for its last words. Default 2,000.
   */
  readonly flushTimeout?: number;
  /**
   * What becomes of a line that is neither a JSON object nor an array of objects. An agent delivers it, since it owes
   * garbage an answer; a client reading an agent's stdout reports it as `noise` and does not answer. Default `deliver`.
   */
  readonly noise?: NoisePolicy;
}

/** The two streams to speak over, and the limits. */
export interface StdioOptions extends StdioLimits {
  /** The peer's words: a child's `stdout`, say. The transport alone reads it. */
  readonly input: Readable;
  /** Where to speak: a child's `stdin`, say. The transport alone writes to it, and ends it. */
  readonly output: Writable;
}

const mebibyte = 1024 * 1024;

/** Frames as lines over two byte streams. */
export class StdioTransport implements Transport {
  readonly #input: FrameInput;
  readonly #output: FrameOutput;
  readonly #flushTimeout: number;

  constructor(options: StdioOptions) {
    const { maxFrameBytes = 64 * mebibyte, maxBufferedBytes = 256 * mebibyte, flushTimeout = 2_000 } = options;
    const input = new FrameInput(options.input, frameLimit(maxFrameBytes), options.noise ?? 'deliver');
    this.#input = input;
    this.#flushTimeout = flushTimeout;
    this.#output = new FrameOutput(options.output, maxBufferedBytes, {
      broken: (reason, lost) => input.expectLastWords(reason, lost, flushTimeout),
      overrun: (reason) => input.giveUp(reason),
    });
  }

  start(receiver: FrameReceiver): void {
    this.#input.start(receiver);
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

/**
 * Speaks the protocol over two streams: one frame a line, UTF-8, as the stdio transport of the specification has it.
 * Frames must hold no raw newline; JSON.stringify writes none unless asked to indent.
 *
 * Received bytes that are no frame are reported to `warning` and never end the connection. A broken stream never
 * throws: `end` tells, once, with a TurnwireError (`connection-closed` or `limit-exceeded`). When the peer ends its
 * side, answers can still be sent. Disposing also destroys the input.
 * @throws RangeError when `maxFrameBytes` is not at least 1
 */
export function stdioTransport(options: StdioOptions): Transport {
  return new StdioTransport(options);
}

function frameLimit(bytes: number): number {
  if (bytes >= 1) return Math.min(Math.floor(bytes), constants.MAX_STRING_LENGTH);
  throw new RangeError(`maxFrameBytes is ${bytes}; it must be at least 1`);
}
