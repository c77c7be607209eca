/** The version of the format, written into every header. */
export const traceVersion = 1;

/** The first line of every file of a trace. Other keys may be there and are kept. */
export interface TraceHeader {
  readonly turnwireTrace: number;
  /** The same in all files of one trace, and in no other. */
  readonly id: string;
  /** 0 for the first file, one more after each rotation. */
  readonly part: number;
  /** When the trace began: ISO 8601. The times of its lines count from here. */
  readonly startedAt: string;
  /** Whose `in` and `out` the directions are. */
  readonly side: 'client' | 'agent';
  readonly client?: string;
  readonly agent?: string;
  /** The words that started the agent. */
  readonly command?: readonly string[];
  readonly [key: string]: unknown;
}

/** A frame of the wire. */
export interface TraceFrame {
  /** Milliseconds since the trace began. */
  readonly at: number;
  /** As the side that wrote the trace saw it. */
  readonly direction: 'in' | 'out';
  /** The message; the text, if it is not JSON. Redacted. */
  readonly frame: unknown;
  /** What was wrong with its bytes. */
  readonly flaw?: FrameFlaw;
}

/** What can be wrong with the bytes of a line: no UTF-8 (the text has replacement characters), without an end, longer than is kept. */
export type FrameFlaw = 'not UTF-8' | 'cut off' | 'oversize';

/** Something else that happened. Unknown types are kept. */
export type TraceNote =
  /** A process was started. */
  | { readonly type: 'launch'; readonly command: readonly string[]; readonly cwd?: string }
  | { readonly type: 'exit'; readonly code?: number | null; readonly signal?: string | null }
  /** What the process printed last on stderr. */
  | { readonly type: 'stderr'; readonly text: string }
  /** Bytes on the wire that are no frame. */
  | { readonly type: 'noise'; readonly bytes: number; readonly excerpt?: string }
  /** Lines that are missing here, because the disk was slower than the wire or a frame larger than a file. */
  | { readonly type: 'dropped'; readonly lines: number }
  | { readonly type: string & {}; readonly [key: string]: unknown };

/** A line of a trace after the header, and where it stands: `line 12`, with the file's name if there are several. */
export type TraceEvent = (TraceFrame | (TraceNote & { readonly at: number })) & { readonly where: string };

/** A frame, and where it stands. */
export type PlacedFrame = TraceFrame & { readonly where: string };

/** A line that could not be read. */
export interface TraceProblem {
  readonly where: string;
  readonly message: string;
}

/** A trace as it was read. */
export interface Trace {
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
  /** Lines that are not among the events, because they could not be read. */
  readonly problems: readonly TraceProblem[];
}

/** Whether an event of a trace is a frame, and not a note. */
export function isFrame(event: TraceEvent): event is PlacedFrame {
  return 'direction' in event;
}

/** A frame as it stood on the wire. */
export type KnownFrame = Omit<TraceFrame, 'frame'> & { readonly text: string };
