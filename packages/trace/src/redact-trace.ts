import { redactValue } from './redact-frame.ts';
import type { Trace } from './trace-format.ts';
import { type RedactionOptions, redactionOf } from './trace-lines.ts';

/**
 * A trace once more, as the lines of one file, with more of it hidden: texts that are known to be secret, and what the user said if
 * `keepPrompts` is false. What was hidden before stays hidden. Lines that could not be read are left out, since it is not known what they hold.
 */
export function redactTrace({ header, events }: Trace, options: RedactionOptions): readonly string[] {
  const redaction = redactionOf(options);
  // The first line that shows what the file is.
  const { turnwireTrace, ...rest } = header;
  const first = { turnwireTrace, ...rest, part: 0 };
  return [first, ...events.map(({ where: _place, ...event }) => event)].map((line) =>
    JSON.stringify(redactValue(line, redaction)),
  );
}
