import type { TraceEvent, TraceHeader, TraceProblem } from './trace-format.ts';

/** What a line of a trace contains. */
export type TraceItem =
  | { readonly type: 'header'; readonly header: TraceHeader }
  | { readonly type: 'event'; readonly event: TraceEvent }
  | { readonly type: 'problem'; readonly problem: TraceProblem };

/** The lines of a trace, as text. */
export interface TraceLines {
  readonly lines: AsyncIterable<string> | Iterable<string>;
  /** A file name for `where`, if there are several files. */
  readonly file?: string | undefined;
}

/**
 * Reads a trace line by line, in little memory, also in browsers. Invalid lines are reported as problems, as is a last line that was cut
 * off; reading continues. Lines of unknown types, and unknown keys, are kept.
 */
export async function* traceEvents({ lines, file }: TraceLines): AsyncGenerator<TraceItem, undefined> {
  let number = 0;
  for await (const line of lines) {
    number++;
    const where = file === undefined ? `line ${number}` : `line ${number} of ${file}`;
    // Windows editors begin a file with a byte order mark.
    const text = number === 1 ? line.replace(/^\ufeff/, '') : line;
    if (text.trim() !== '') yield itemOf(text, where);
  }
}

function itemOf(line: string, where: string): TraceItem {
  const value = parsed(line);
  if (typeof value !== 'object' || value === null) return problem(where, cause(line));
  if ('turnwireTrace' in value) return headerOf(value, where);
  const { at, direction, type } = value as { at?: unknown; direction?: unknown; type?: unknown };
  if (typeof at !== 'number') return problem(where, 'has no time (at)');
  const isFrame = (direction === 'in' || direction === 'out') && 'frame' in value;
  if (!isFrame && typeof type !== 'string')
    return problem(where, 'is neither a frame (direction, frame) nor a note (type)');
  return { type: 'event', event: { ...(value as TraceEvent), where } };
}

function headerOf(value: object, where: string): TraceItem {
  const header = { id: '', part: 0, startedAt: '', side: 'client', ...value } as TraceHeader;
  const { turnwireTrace: version, side } = header;
  if (version !== 1)
    return problem(
      where,
      `is the header of a trace of version ${JSON.stringify(version)}; this program reads version 1`,
    );
  if (side !== 'client' && side !== 'agent')
    return problem(where, `is a header with the side ${JSON.stringify(side)}, which is neither "client" nor "agent"`);
  return { type: 'header', header };
}

function cause(line: string): string {
  return line.trimStart().startsWith('{') ? 'is cut off or not JSON' : 'is not a JSON object';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function problem(where: string, message: string): TraceItem {
  return { type: 'problem', problem: { where, message } };
}
