import type { AnyMessage } from '../json-rpc/messages.ts';

/** The two directions of a connection, as streams of messages. Usually made by `ndJsonStream`. */
export type Stream = {
  /** Messages of this side. */
  writable: WritableStream<AnyMessage>;
  /** Messages of the other side. */
  readable: ReadableStream<AnyMessage>;
};

/** Options of `ndJsonStream`. */
export interface NdJsonStreamOptions {
  /** The longest message received, in bytes. A longer one is skipped, and the request that it answers is rejected. Default 32 MiB. */
  readonly maxMessageBytes?: number;
}

/** The default of `maxMessageBytes`. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024;

/** The error of the official package for a message that is too long. Here such a message is skipped: this error is never thrown. */
export class MessageTooLargeError extends Error {
  override name = 'MessageTooLargeError';
  readonly maxMessageBytes: number;

  constructor(maxMessageBytes: number) {
    super(`Incoming ACP data exceeds the configured ${maxMessageBytes} byte limit`);
    this.maxMessageBytes = maxMessageBytes;
  }
}
