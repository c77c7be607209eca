import { redactValue } from './redact-frame.ts';
import type { Trace } from './trace-format.ts';
import { type RedactionOptions, redactionOf } from './trace-lines.ts';

/**
 * Redacts a trace again and returns it as the lines of one file: it hides further secrets, and what the user said if `keepPrompts` is
 * false. Values that were hidden before stay hidden. Lines that could not be read are omitted, because their content is unknown.
 */
export function redactTrace({ header, events }: Trace, options: RedactionOptions): readonly string[] {
  const redaction = redactionOf(options);
  // The version comes first: it identifies the file.
  const { turnwireTrace, ...rest } = header;
  const first = { turnwireTrace, ...rest, part: 0 };
  return [first, ...events.map(({ where: _place, ...event }) => event)].map((line) =>
    JSON.stringify(redactValue(line, redaction)),
  );
}
