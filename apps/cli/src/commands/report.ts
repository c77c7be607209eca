import type { Format } from '../options.ts';
import { stdout } from '../terminal/output.ts';

/** Prints the result of a command in the requested format: JSON, a line, or only the id a script continues with. */
export function report<Facts extends object>(
  { format }: { readonly format: Format },
  facts: Facts,
  line: (facts: Facts) => string | undefined,
): void {
  if (format === 'json') return stdout.printJson(JSON.stringify(facts));
  const text = line(facts);
  if (text !== undefined) stdout.printLine(text);
}
