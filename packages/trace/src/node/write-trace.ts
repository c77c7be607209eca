import { RotatingFile } from './rotating-file.ts';
import type { KnownFrame, TraceHeader } from '../trace-format.ts';
import { frameLine, headerLine, type RedactionOptions, redactionOf } from '../trace-lines.ts';

/** Where to write frames that are known already. */
export interface WriteTraceOptions extends RedactionOptions {
  /** The file. What is there already moves to `path.1`. Folders are made. */
  readonly path: string;
  /** What else the header says: the side whose directions they are (default `client`), names, the command. */
  readonly header?: Partial<TraceHeader> | undefined;
}

/** Lines of one write. */
const together = 500;

/**
 * Writes frames that are in memory as one file of a trace, as `traceWriter` would have: readable for its owner alone, redacted.
 * Times are milliseconds since the connection began. Rejects with the errors of the file system.
 */
export async function writeTrace(frames: readonly KnownFrame[], options: WriteTraceOptions): Promise<void> {
  const redaction = redactionOf(options);
  const header = headerLine(options.header, redaction);
  const file = new RotatingFile({ path: options.path, maximumBytes: Infinity, keep: 3, header });
  try {
    await file.write([]);
    for (let start = 0; start < frames.length; start += together) {
      const lines = frames
        .slice(start, start + together)
        .map((frame) => frameLine({ ...frame, at: rounded(frame.at) }, redaction));
      await file.write(lines.map((line) => JSON.stringify(line)));
    }
  } finally {
    await file.close();
  }
}

/** A microsecond is enough. */
function rounded(at: number): number {
  return Math.round(at * 1000) / 1000;
}
