import type { ChangedFile } from '@turnwire/runtime/review';
import { visibleText } from '../terminal/clean-text.ts';
import { painted } from '../terminal/diff-lines.ts';
import { stdout } from '../terminal/output.ts';

/** Prints a patch: coloured at a terminal, otherwise byte for byte, for `git apply`. */
export function printFilePatch(patch: string): void {
  if (stdout.isTerminal) for (const line of shownPatch(patch)) stdout.printLine(line);
  else stdout.printExactly(Buffer.from(patch, 'latin1'));
}

function shownPatch(patch: string): readonly string[] {
  const lines = Buffer.from(patch, 'latin1').toString().replace(/\n$/, '').split('\n');
  const { paint } = stdout;
  return lines.map((line) =>
    /^(?:diff|index|---|\+\+\+) /.test(line) ? paint('bold', visibleText(line)) : painted(line, paint),
  );
}

/** A changed file for JSON output. */
export function fileFacts({ path, change, added, removed, hunks }: ChangedFile): object {
  const text = (line: string): string => Buffer.from(line, 'latin1').toString();
  return {
    ...{ path, change, added, removed },
    hunks: hunks.map(({ id, before, after, lines }) => ({ id, before, after, lines: lines.map(text) })),
  };
}
