import { type Redaction, redactFrame, redactValue } from './redact-frame.ts';
import { type KnownFrame, type Trace, type TraceFrame, type TraceHeader, traceVersion } from './trace-format.ts';

/** What is hidden in a trace besides what is always hidden. */
export interface RedactionOptions {
  /** Whether to write down what the user says. Default true. */
  readonly keepPrompts?: boolean | undefined;
  /** Texts to hide wherever they stand, such as the values of variables the agent was given. Those under six characters are not looked for. */
  readonly secrets?: readonly string[] | undefined;
}

const longEnough = 6;
/** Halves of characters, which addresses cannot hold. */
const halves = /[\ud800-\udfff]/gu;

export function redactionOf({ keepPrompts = true, secrets = [] }: RedactionOptions): Redaction {
  const known = secrets.filter(({ length }) => length >= longEnough);
  // The longest first: what is left of one that begins like another is still a secret.
  const all = [...new Set(known.flatMap(spellings))].toSorted((one, other) => other.length - one.length);
  return { keepPrompts, secrets: all };
}

/** A secret as it stands, within JSON, and in an address. */
function spellings(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret.replace(halves, ''))];
}

/** The first line of a file of a trace, by the file's number. */
export function headerLine(header: Partial<TraceHeader> | undefined, redaction: Redaction): (part: number) => string {
  const id = crypto.randomUUID();
  const startedAt = new Date().toISOString();
  const said = redactValue({ side: 'client', ...header }, redaction) as object;
  return (part) => JSON.stringify({ turnwireTrace: traceVersion, id, part, startedAt, ...said });
}

/** A frame as it is written down. */
export function frameLine({ text, ...frame }: KnownFrame, redaction: Redaction): TraceFrame {
  const { at, direction, ...rest } = frame;
  return { at, direction, frame: redactFrame(text, redaction), ...rest };
}

/** Frames that are known already as a trace that was read: redacted as in a file, with places such as `frame 3`. */
export function traceOf(
  frames: readonly KnownFrame[],
  { header, ...options }: RedactionOptions & { readonly header?: Partial<TraceHeader> | undefined } = {},
): Trace {
  const redaction = redactionOf(options);
  return {
    header: JSON.parse(headerLine(header, redaction)(0)) as TraceHeader,
    events: frames.map((frame, place) => ({ ...frameLine(frame, redaction), where: `frame ${place + 1}` })),
    problems: [],
  };
}
