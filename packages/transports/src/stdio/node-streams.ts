import { Buffer, constants } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream';
import type { ByteSource } from '../lines/frame-lines.ts';
import type { ByteSink } from '../lines/frame-output.ts';
import { streamFailure } from '../lines/stream-failure.ts';

export function nodeSource(input: Readable): ByteSource {
  return {
    longestText: constants.MAX_STRING_LENGTH,
    decode: (bytes, start, end) => {
      const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return buffer.toString('utf8', start, end);
    },
    listen: (lines) => {
      // Listens from the start: Node resumes a stream whose process has exited, and would drop its data.
      input.on('data', (data: Buffer | string) => lines.take(typeof data === 'string' ? Buffer.from(data) : data));
      finished(input, { writable: false }, (error) => {
        lines.end(error ? streamFailure('reading from the peer failed', error) : undefined);
      });
    },
    pause: () => void input.pause(),
    resume: () => void input.resume(),
    destroy: () => void input.destroy(),
  };
}

export function nodeSink(output: Writable): ByteSink {
  // Bound now, so that code which replaces `output.write` later does not redirect the protocol.
  const write = output.write.bind(output) as (text: string, encoding: 'utf8') => boolean;
  return {
    get waiting() {
      return output.writableLength;
    },
    listen: ({ drained, gone }) => {
      output.on('drain', drained);
      finished(output, { readable: false }, (error) => gone(error ?? undefined));
    },
    write: (text) => write(text, 'utf8'),
    soon: (callback) => process.nextTick(callback),
    end: () => void output.end(),
    destroy: () => void output.destroy(),
  };
}
