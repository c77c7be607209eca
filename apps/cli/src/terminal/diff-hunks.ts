import type { Diff } from '@turnwire/protocol';
import { structuredPatch, type StructuredPatchHunk } from 'diff';

/** Texts with more differing lines are not compared: the whole text is shown as replaced. */
const mostEdits = 1_000;

/** Changed lines with the unchanged ones around them. */
export type Hunk = Omit<StructuredPatchHunk, 'lines'> & { readonly lines: readonly string[] };

/** The changes of a diff; its lines begin with their sign, as in a unified patch. */
export function diffHunks({ oldText, newText }: Diff): readonly Hunk[] {
  const [before, after] = [oldText ?? '', newText];
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: mostEdits });
  if (patch) return patch.hunks;
  const [removed, added] = [signed('-', before), signed('+', after)];
  const counts = { oldLines: removed.length, newLines: added.length };
  return [{ oldStart: 1, newStart: 1, ...counts, lines: [...removed, ...added] }];
}

/** How many lines a diff adds and removes: `+3 −1`. */
export function diffSize(diff: Diff): string {
  return sizeOf(diffHunks(diff));
}

/** The same for the hunks of a diff. */
export function sizeOf(hunks: readonly Hunk[]): string {
  const count = (sign: string): number =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length;
  return `+${count('+')} −${count('-')}`;
}

function signed(sign: string, text: string): readonly string[] {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return lines.map((line) => sign + line);
}
