import type { Diff } from '@turnwire/protocol';
import { evened, inLines, textHash } from './text-hash.ts';

/** The maximum number of texts that are tried to find out whether edits result in the written text. */
const mostTries = 200;

/**
 * The number of edits of a file, counted from the first, that result in the written text. Agents show the whole text or only the replaced
 * lines, and write after each edit or after the last. 0 if no edits do.
 * @param hash of the written text
 * @param write the change of the file's current content. If it is absent, only an edit of the whole file is recognised
 */
export function editsDone(edits: readonly Diff[], hash: string | undefined, write: Diff | undefined): number {
  // An edit without an old text shows the whole file.
  const whole = edits.findLastIndex(({ oldText, newText }) => !oldText && textHash(newText) === hash);
  if (whole !== -1) return whole + 1;
  if (typeof write?.oldText !== 'string' || textHash(write.newText) !== hash) return 0;
  const texts = { from: inLines(write.oldText), to: evened(write.newText) };
  // A write without a change needs no permission.
  if (evened(texts.from) === texts.to) return edits.length;
  const tries = { left: mostTries };
  for (let count = edits.length; count > 0; count--) if (lead(edits.slice(0, count), texts, tries)) return count;
  return 0;
}

/** Whether edits turn one text into another. Each replaces one occurrence of its old text, or all of them. */
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
