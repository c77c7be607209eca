import { RotatingFile } from './rotating-file.ts';
import type { KnownFrame, TraceHeader } from '../trace-format.ts';
import { frameLine, headerLine, type RedactionOptions, redactionOf } from '../trace-lines.ts';

/** Options for writing known frames. */
export interface WriteTraceOptions extends RedactionOptions {
  /** The trace file. An existing file is renamed to `path.1`, and missing folders are created. */
  readonly path: string;
  /** Further fields of the header: the side of the directions (default `client`), names, the command. */
  readonly header?: Partial<TraceHeader> | undefined;
}

/** How many lines to write at once. */
const batchSize = 500;

/**
 * Writes frames from memory as one trace file, like `traceWriter`: readable only by its owner, and redacted. Times are milliseconds since
 * the connection began. Rejects with errors of the file system.
 */
export async function writeTrace(frames: readonly KnownFrame[], options: WriteTraceOptions): Promise<void> {
  const redaction = redactionOf(options);
  const header = headerLine(options.header, redaction);
  const file = new RotatingFile({ path: options.path, maximumBytes: Infinity, keep: 3, header });
  try {
    await file.write([]);
    for (let start = 0; start < frames.length; start += batchSize) {
      const lines = frames
        .slice(start, start + batchSize)
        .map((frame) => frameLine({ ...frame, at: rounded(frame.at) }, redaction));
      await file.write(lines.map((line) => JSON.stringify(line)));
    }
  } finally {
    await file.close();
  }
}

/** Microseconds are precise enough. */
function rounded(at: number): number {
  return Math.round(at * 1000) / 1000;
}
