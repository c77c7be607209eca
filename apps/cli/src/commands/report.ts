import type { Format } from '../options.ts';
import { cleanJson, cleanText } from '../terminal/clean-text.ts';

/** Prints what a command did, in the format that was asked for: as JSON, as a line, or only what a script goes on with. */
export function report<Facts extends object>(
  { format }: { readonly format: Format },
  facts: Facts,
  line: (facts: Facts) => string | undefined,
): void {
  const text = format === 'json' ? cleanJson(JSON.stringify(facts)) : line(facts);
  if (text !== undefined) process.stdout.write(`${format === 'json' ? text : cleanText(text)}\n`);
}
