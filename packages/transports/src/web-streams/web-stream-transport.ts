import type { Transport } from '@turnwire/protocol';
import type { ByteSource } from '../lines/frame-lines.ts';
import type { LineLimits } from '../lines/line-transport.ts';
import { LineTransport } from '../lines/line-transport.ts';
import { streamFailure } from '../lines/stream-failure.ts';
import { asError, endOfTick, SharedSink, OwnedSink } from './web-sink.ts';

/** Options of {@link webStreamTransport}. Both streams may belong to one object: a socket of Deno, a WebTransport stream. */
export interface WebStreamOptions extends LineLimits {
  /** The output of the peer. Only the transport reads it. */
  readonly readable: ReadableStream<Uint8Array>;
  /** The input of the peer. Only the transport writes to it, and closes it, unless `keepOpen` is set. */
  readonly writable: WritableStream<Uint8Array>;
  /** Leave `writable` open at the end, and lock it only while writing, so that the program can also write to it and close it. Default false. */
  readonly keepOpen?: boolean | undefined;
}

/** A transport over web streams. */
export interface WebStreamTransport extends Transport {
  /** Resolves when `writable` has taken all frames that were sent so far, and rejects with its error. */
  written(): Promise<void>;
  /** Ends as by disposal; `readable` is cancelled with the reason. */
  abandon(reason: unknown): Promise<void>;
}

/** The longest string in browsers; Chromium has the lowest limit. */
const longestText = 2 ** 29 - 24;

/**
 * A transport over two web streams of bytes: one frame a line, UTF-8. Runs in browsers. Invalid lines, limits and the end of the connection are
 * handled as by `stdioTransport`.
 * @throws RangeError when `maxFrameBytes` is not at least 1
 */
export function webStreamTransport({ readable, writable, keepOpen, ...limits }: WebStreamOptions): WebStreamTransport {
  const sink = keepOpen ? new SharedSink(writable) : new OwnedSink(writable);
  let endReason: unknown;
  const transport = new LineTransport(
    webSource(readable, () => endReason),
    sink,
    limits,
  );
  return Object.assign(transport, {
    written: () => new Promise<void>((resolve) => endOfTick(() => resolve(sink.lastWrite))),
    abandon: (reason: unknown) => {
      endReason = reason;
      return transport[Symbol.asyncDispose]();
    },
  });
}

function webSource(readable: ReadableStream<Uint8Array>, endReason: () => unknown): ByteSource {
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
          if (pause !== undefined) await pause;
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
    resume: () => {
      pause = undefined;
      resume();
    },
    destroy: () => {
      resume();
      // The program may read the rest of a stream that it still has.
      const release = (): void => reader.releaseLock();
      reader.cancel(endReason()).then(release, release);
    },
  };
}
