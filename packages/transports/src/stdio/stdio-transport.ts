import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@turnwire/protocol';
import type { LineLimits } from '../lines/line-transport.ts';
import { LineTransport } from '../lines/line-transport.ts';
import { nodeSink, nodeSource } from './node-streams.ts';

/** The two streams to use, and the limits. */
export interface StdioOptions extends LineLimits {
  /** What the peer writes: a child's `stdout`, say. The transport alone reads it. */
  readonly input: Readable;
  /** What the peer reads: a child's `stdin`, say. The transport alone writes to it, and ends it. */
  readonly output: Writable;
}

/**
 * Speaks the protocol over two streams: one frame a line, UTF-8, as the stdio transport of the specification has it.
 * Frames must hold no raw newline; JSON.stringify writes none unless asked to indent.
 *
 * Received bytes that are no frame are reported to `warning` and never end the connection. A broken stream never
 * throws: the receiver's `end` is called, once, with a TurnwireError (`connection-closed` or `limit-exceeded`). When the
 * peer ends its side, answers can still be sent. Disposing also destroys the input.
 * @throws RangeError when `maxFrameBytes` is not at least 1
 */
export function stdioTransport({ input, output, ...limits }: StdioOptions): Transport {
  return new LineTransport(nodeSource(input), nodeSink(output), limits);
}
