/** The version of the format, recorded in every header. */
export const traceVersion = 1;

/** The first line of every trace file. Other keys are kept. */
export interface TraceHeader {
  readonly turnwireTrace: number;
  /** Identifies the trace; the same in all of its files. */
  readonly id: string;
  /** 0 for the first file, incremented with each rotation. */
  readonly part: number;
  /** The start of the trace in ISO 8601. The times of its lines are relative to it. */
  readonly startedAt: string;
  /** The side from whose view `in` and `out` are. */
  readonly side: 'client' | 'agent';
  readonly client?: string;
  readonly agent?: string;
  /** The command that started the agent: the program and its arguments. */
  readonly command?: readonly string[];
  readonly [key: string]: unknown;
}

/** A frame on the wire. */
export interface TraceFrame {
  /** Milliseconds since the trace began. */
  readonly at: number;
  /** The direction from the view of the side that wrote the trace. */
  readonly direction: 'in' | 'out';
  /** The message, or the text if it is not JSON. Redacted. */
  readonly frame: unknown;
  /** The flaw in its bytes. */
  readonly flaw?: FrameFlaw;
}

/** A flaw in the bytes of a line: not UTF-8 (the text has replacement characters), cut off before its end, or too long. */
export type FrameFlaw = 'not UTF-8' | 'cut off' | 'oversize';

/** An event other than a frame. Unknown types are kept. */
export type TraceNote =
  /** A process was started. */
  | { readonly type: 'launch'; readonly command: readonly string[]; readonly cwd?: string }
  | { readonly type: 'exit'; readonly code?: number | null; readonly signal?: string | null }
  /** The last output of the process on stderr. */
  | { readonly type: 'stderr'; readonly text: string }
  /** Bytes on the wire that are not a frame. */
  | { readonly type: 'noise'; readonly bytes: number; readonly excerpt?: string }
  /** Lines that are missing here, because the disk was slower than the wire or a frame larger than a file. */
  | { readonly type: 'dropped'; readonly lines: number }
  | { readonly type: string & {}; readonly [key: string]: unknown };

/** A line of a trace after the header, with its location: `line 12`, with the file name if there are several. */
export type TraceEvent = (TraceFrame | (TraceNote & { readonly at: number })) & { readonly where: string };

/** A frame with its location. */
export type PlacedFrame = TraceFrame & { readonly where: string };

/** A line that could not be read. */
export interface TraceProblem {
  readonly where: string;
  readonly message: string;
}

/** A trace in memory. */
export interface Trace {
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
  /** Lines that could not be read. */
  readonly problems: readonly TraceProblem[];
}

/** Whether an event of a trace is a frame rather than a note. */
export function isFrame(event: TraceEvent): event is PlacedFrame {
  return 'direction' in event;
}

/** A frame as received or sent, before redaction. */
export type KnownFrame = Omit<TraceFrame, 'frame'> & { readonly text: string };
