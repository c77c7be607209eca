import type { Transport } from '@turnwire/protocol';

/** A transport over streams of the program, which learns from them what happens. Others, such as a socket of ours, lack both methods. */
export interface StreamTransport extends Transport {
  /** Resolves when the program's stream has taken everything that was sent so far, and rejects with its error. */
  written?(): Promise<void>;
  /** Ends as by disposal; the stream that is read is cancelled with the reason. */
  abandon?(reason: unknown): Promise<void>;
}

/** Ends a transport of either kind. */
export function abandon(transport: StreamTransport, reason: unknown): Promise<void> {
  return transport.abandon ? transport.abandon(reason) : Promise.resolve(transport[Symbol.asyncDispose]());
}
