import type { ChangedFile } from '@turnwire/machine/folder-record';
import { visibleText } from '../terminal/clean-text.ts';
import { hunkLines } from '../terminal/hunk-lines.ts';
import { stdout } from '../terminal/output.ts';

/** Prints a patch: coloured at a terminal, otherwise byte for byte, for `git apply`. */
export function printFilePatch(patch: string): void {
  if (stdout.isTerminal) for (const line of shownPatch(patch)) stdout.printLine(line);
  else stdout.printExactly(Buffer.from(patch, 'latin1'));
}

function shownPatch(patch: string): readonly string[] {
  const lines = Buffer.from(patch, 'latin1').toString().replace(/\n$/, '').split('\n');
  const { paint } = stdout;
  const first = lines.findIndex((line) => line.startsWith('@@ '));
  const head = lines.slice(0, first === -1 ? lines.length : first);
  return [...head.map((line) => paint('bold', visibleText(line))), ...hunkLines(lines.slice(head.length), paint)];
}

/** A changed file for JSON output. */
export function fileFacts({ path, change, added, removed, hunks }: ChangedFile): object {
  const text = (line: string): string => Buffer.from(line, 'latin1').toString();
  return {
    ...{ path, change, added, removed },
    hunks: hunks.map(({ id, before, after, lines }) => ({ id, before, after, lines: lines.map(text) })),
  };
}
