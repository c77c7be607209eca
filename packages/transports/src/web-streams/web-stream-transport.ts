import type { Transport } from '@turnwire/protocol';
import type { ByteSource } from '../lines/frame-lines.ts';
import type { ByteSink } from '../lines/frame-output.ts';
import type { LineLimits } from '../lines/line-transport.ts';
import { LineTransport } from '../lines/line-transport.ts';
import { prematureClose, streamFailure } from '../lines/stream-failure.ts';

/** Options of {@link webStreamTransport}. Both streams may belong to one object: a socket of Deno, a WebTransport stream. */
export interface WebStreamOptions extends LineLimits {
  /** The output of the peer. Only the transport reads it. */
  readonly readable: ReadableStream<Uint8Array>;
  /** The input of the peer. Only the transport writes to it, and closes it. */
  readonly writable: WritableStream<Uint8Array>;
}

/** The longest string in browsers; Chromium has the lowest limit. */
const longestText = 2 ** 29 - 24;

/**
 * A transport over two web streams of bytes: one frame a line, UTF-8. Runs in browsers. Invalid lines, limits and the end of the connection are
 * handled as by `stdioTransport`.
 * @throws RangeError when `maxFrameBytes` is not at least 1
 */
export function webStreamTransport({ readable, writable, ...limits }: WebStreamOptions): Transport {
  return new LineTransport(webSource(readable), webSink(writable), limits);
}

function webSource(readable: ReadableStream<Uint8Array>): ByteSource {
  const reader = readable.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pause: Promise<void> | undefined;
  let resume: () => void = () => undefined;
  return {
    longestText,
    decode: (bytes, start, end) => decoder.decode(bytes.subarray(start, end)),
    listen: (lines) => {
      const readAll = async (): Promise<void> => {
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          lines.take(read.value);
          await pause;
        }
      };
      readAll().then(
        () => lines.end(),
        (error: unknown) => lines.end(streamFailure('reading from the peer failed', asError(error))),
      );
    },
    pause: () => {
      pause = new Promise((resolve) => (resume = resolve));
    },
    resume: () => resume(),
    destroy: () => {
      resume();
      reader.cancel().catch(ignore);
    },
  };
}

function webSink(writable: WritableStream<Uint8Array>): ByteSink {
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let waiting = 0;
  let whenDrained: () => void = ignore;
  return {
    get waiting() {
      return waiting;
    },
    listen: ({ drained, gone }) => {
      whenDrained = drained;
      writer.closed.then(
        () => gone(),
        (error: unknown) => gone(asError(error)),
      );
    },
    write: (text) => {
      const bytes = encoder.encode(text);
      waiting += bytes.length;
      writer.write(bytes).then(() => (waiting -= bytes.length), ignore);
      const hasRoom = (writer.desiredSize ?? 0) > 0;
      if (!hasRoom) writer.ready.then(whenDrained, ignore);
      return hasRoom;
    },
    soon: queueMicrotask,
    end: () => void writer.close().catch(ignore),
    destroy: () => void writer.abort(prematureClose()).catch(ignore),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The end of the stream is reported by `closed`, once. */
function ignore(): void {
  // Nothing to do.
}
