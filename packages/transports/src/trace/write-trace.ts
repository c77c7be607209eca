import type { KnownFrame } from './pending-lines.ts';
import { RotatingFile } from './rotating-file.ts';
import type { Trace, TraceHeader } from './trace-format.ts';
import { frameLine, headerLine, type RedactionOptions, redactionOf } from './trace-lines.ts';

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

/** Frames that are known already as a trace that was read: redacted as in a file, with places such as `frame 3`. */
export function traceOf(
  frames: readonly KnownFrame[],
  { header, ...options }: RedactionOptions & Pick<WriteTraceOptions, 'header'> = {},
): Trace {
  const redaction = redactionOf(options);
  return {
    header: JSON.parse(headerLine(header, redaction)(0)) as TraceHeader,
    events: frames.map((frame, place) => ({ ...frameLine(frame, redaction), where: `frame ${place + 1}` })),
    problems: [],
  };
}
