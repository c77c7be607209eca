import type { Transport } from '@turnwire/protocol';
import { webStreamTransport } from '@turnwire/transports/web-streams';
import { objectStreams } from './object-streams.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, type NdJsonStreamOptions, type Stream } from './stream.ts';

/** Two byte streams, with streams of messages that are made when a program uses them. */
class LazyPair {
  readonly #output: WritableStream<Uint8Array>;
  readonly #input: ReadableStream<Uint8Array>;
  readonly #maxFrameBytes: number;
  #streams: Stream | undefined;

  constructor(output: WritableStream<Uint8Array>, input: ReadableStream<Uint8Array>, maxFrameBytes: number) {
    this.#output = output;
    this.#input = input;
    this.#maxFrameBytes = maxFrameBytes;
  }

  get isUntouched(): boolean {
    return this.#streams === undefined;
  }

  /** Made when the program reads or wraps them. */
  get streams(): Stream {
    return (this.#streams ??= objectStreams(this.transport('deliver')));
  }

  transport(noise: 'deliver' | 'report'): Transport {
    // A program that closes a connection still owns the streams, which may be the input of a process or its own stdout.
    const streams = { readable: this.#input, writable: this.#output, keepOpen: true };
    return webStreamTransport({ ...streams, maxFrameBytes: this.#maxFrameBytes, noise });
  }
}

const pairs = new WeakMap<object, LazyPair>();

/**
 * Messages as lines of JSON over two byte streams. If the result is passed on to a connection untouched, its bytes are read and written
 * directly; only a program that reads, writes or wraps its `readable` and `writable` gets streams of objects.
 * @throws RangeError when `maxMessageBytes` is not a positive integer
 */
export function ndJsonStream(
  output: WritableStream<Uint8Array>,
  input: ReadableStream<Uint8Array>,
  { maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES }: NdJsonStreamOptions = {},
): Stream {
  if (!Number.isSafeInteger(maxMessageBytes) || maxMessageBytes <= 0)
    throw new RangeError('maxMessageBytes must be a positive safe integer');
  const pair = new LazyPair(output, input, maxMessageBytes);
  // Own properties: programs copy a stream with `{ ...stream, readable }`.
  const stream = Object.defineProperties({} as Stream, {
    readable: { enumerable: true, get: () => pair.streams.readable },
    writable: { enumerable: true, get: () => pair.streams.writable },
  });
  pairs.set(stream, pair);
  return stream;
}

/** A transport over the bytes of an unused stream. */
export function byteTransport(stream: Stream, noise: 'deliver' | 'report'): Transport | undefined {
  const pair = pairs.get(stream);
  return pair?.isUntouched ? pair.transport(noise) : undefined;
}
