import { type Redaction, redactFrame, redactValue } from './redact-frame.ts';
import { type KnownFrame, type Trace, type TraceFrame, type TraceHeader, traceVersion } from './trace-format.ts';

/** What to hide in a trace in addition to what is always hidden. */
export interface RedactionOptions {
  /** Whether to record what the user says. Default true. */
  readonly keepPrompts?: boolean | undefined;
  /** Texts to hide wherever they occur, such as the values of the agent's environment variables. Texts under six characters are ignored. */
  readonly secrets?: readonly string[] | undefined;
}

const shortestSecret = 6;
/** Unpaired surrogates, which a URL cannot contain. */
const halves = /[\ud800-\udfff]/gu;

export function redactionOf({ keepPrompts = true, secrets = [] }: RedactionOptions): Redaction {
  const known = secrets.filter(({ length }) => length >= shortestSecret);
  // The longest first: the remainder of one that begins with another is still a secret.
  const all = [...new Set(known.flatMap(spellings))].toSorted((one, other) => other.length - one.length);
  return { keepPrompts, secrets: all };
}

/** The spellings of a secret: as it is, within JSON, and in a URL. */
function spellings(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret.replace(halves, ''))];
}

/** Returns a function that creates the first line of the trace file with a number. */
export function headerLine(header: Partial<TraceHeader> | undefined, redaction: Redaction): (part: number) => string {
  const id = crypto.randomUUID();
  const startedAt = new Date().toISOString();
  const fields = redactValue({ side: 'client', ...header }, redaction) as object;
  return (part) => JSON.stringify({ turnwireTrace: traceVersion, id, part, startedAt, ...fields });
}

/** A redacted frame, as it is written to a trace. */
export function frameLine({ text, ...frame }: KnownFrame, redaction: Redaction): TraceFrame {
  const { at, direction, ...rest } = frame;
  return { at, direction, frame: redactFrame(text, redaction), ...rest };
}

/** Frames from memory as a trace, redacted like in a file, with locations such as `frame 3`. */
export function traceOf(
  frames: readonly KnownFrame[],
  { header, ...options }: RedactionOptions & { readonly header?: Partial<TraceHeader> | undefined } = {},
): Trace {
  const redaction = redactionOf(options);
  return {
    header: JSON.parse(headerLine(header, redaction)(0)) as TraceHeader,
    events: frames.map((frame, index) => ({ ...frameLine(frame, redaction), where: `frame ${index + 1}` })),
    problems: [],
  };
}
