import type { Format } from '../options.ts';
import { stdout } from '../terminal/output.ts';

/** Prints what a command did, in the format that was asked for: as JSON, as a line, or only what a script continues with. */
export function report<Facts extends object>(
  { format }: { readonly format: Format },
  facts: Facts,
  line: (facts: Facts) => string | undefined,
): void {
  if (format === 'json') return stdout.printJson(JSON.stringify(facts));
  const text = line(facts);
  if (text !== undefined) stdout.printLine(text);
}
