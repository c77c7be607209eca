import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@turnwire/protocol';
import type { LineLimits } from '../lines/line-transport.ts';
import { LineTransport } from '../lines/line-transport.ts';
import { nodeSink, nodeSource } from './node-streams.ts';

/** Options of {@link stdioTransport}. */
export interface StdioOptions extends LineLimits {
  /** The output of the peer: a child's `stdout`, for example. Only the transport reads it. */
  readonly input: Readable;
  /** The input of the peer: a child's `stdin`, for example. Only the transport writes to it, and ends it. */
  readonly output: Writable;
}

/**
 * A transport over two streams: one frame a line, UTF-8, as the stdio transport of the specification defines. Frames must hold no raw newline;
 * JSON.stringify writes none unless asked to indent.
 *
 * Received bytes that are not a frame are reported to `warning` and never end the connection. A broken stream never throws: the receiver's `end` is
 * called once with a TurnwireError (`connection-closed` or `limit-exceeded`). After the peer has ended its side, answers can still be sent. Disposing
 * also destroys the input.
 * @throws RangeError when `maxFrameBytes` is not at least 1
 */
export function stdioTransport({ input, output, ...limits }: StdioOptions): Transport {
  return new LineTransport(nodeSource(input), nodeSink(output), limits);
}
