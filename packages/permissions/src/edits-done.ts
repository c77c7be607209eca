import type { Diff } from '@turnwire/protocol';
import { evened, inLines, textHash } from './text-hash.ts';

/** Texts that are made at most, to find out whether edits lead to what is written. */
const mostTries = 200;

/**
 * How many of the edits of a file, from the first, lead to what is written: agents show the whole text, or only the lines they
 * replace, and write after each edit or after the last. 0: what is written is something else.
 * @param hash of the text that is written
 * @param write what the write makes of the file as it is now. Absent: not known, so only an edit that replaces nothing is recognised
 */
export function editsDone(edits: readonly Diff[], hash: string | undefined, write: Diff | undefined): number {
  // Whoever saw it saw all that is in the file then.
  const whole = edits.findLastIndex(({ oldText, newText }) => !oldText && textHash(newText) === hash);
  if (whole !== -1) return whole + 1;
  if (typeof write?.oldText !== 'string' || textHash(write.newText) !== hash) return 0;
  const texts = { from: inLines(write.oldText), to: evened(write.newText) };
  // What changes nothing needs no leave.
  if (evened(texts.from) === texts.to) return edits.length;
  const tries = { left: mostTries };
  for (let count = edits.length; count > 0; count--) if (lead(edits.slice(0, count), texts, tries)) return count;
  return 0;
}

/** Whether edits make one text of another. Each replaces one place where its old text stands, or all of them. */
function lead(
  [edit, ...others]: readonly Diff[],
  { from, to }: { readonly from: string; readonly to: string },
  tries: { left: number },
): boolean {
  if (!edit) return evened(from) === to;
  const next = (text: string): boolean => tries.left-- > 0 && lead(others, { from: text, to }, tries);
  const [oldText, newText] = [inLines(edit.oldText ?? ''), inLines(edit.newText)];
  if (oldText === '') return false;
  for (let at = from.indexOf(oldText); at !== -1 && tries.left > 0; at = from.indexOf(oldText, at + 1)) {
    if (next(from.slice(0, at) + newText + from.slice(at + oldText.length))) return true;
  }
  return from.includes(oldText) && next(from.split(oldText).join(newText));
}
