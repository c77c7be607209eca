import { webStreamTransport } from '@turnwire/transports/web-streams';
import { messageStream } from './message-stream.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, type NdJsonStreamOptions, type Stream } from './stream.ts';

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
  // A program that closes a connection still owns the streams, which may be the input of a process or its own stdout.
  const streams = { readable: input, writable: output, keepOpen: true };
  return messageStream((noise) => webStreamTransport({ ...streams, maxFrameBytes: maxMessageBytes, noise }));
}
