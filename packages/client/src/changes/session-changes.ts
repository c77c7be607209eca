import type { Diff } from '@turnwire/protocol';
import type { TranscriptEntry } from '../transcript/transcript-view.ts';

/** The changes of a file in a session, as its agent reported them. */
export interface FileChange {
  readonly path: string;
  /** The changes in their order. Agents may report the whole text of the file or a part of it. */
  readonly steps: readonly Diff[];
}

/**
 * The changes of a session, one for each file, in the order of their first steps. Only changes that agents report as diffs are included,
 * and not those of commands, nor those of calls that failed, were refused or did not end.
 */
export function sessionChanges(entries: Iterable<TranscriptEntry>): readonly FileChange[] {
  const changes = new Map<string, Diff[]>();
  for (const entry of entries) {
    if (entry.type !== 'tool-call' || entry.state !== 'completed') continue;
    for (const item of entry.content) {
      if (item.type !== 'diff' || !('newText' in item)) continue;
      const diff = item as Diff;
      const steps = changes.get(diff.path);
      if (steps) steps.push(diff);
      else changes.set(diff.path, [diff]);
    }
  }
  return Array.from(changes, ([path, steps]) => ({ path, steps }));
}

/**
 * The text of a file before a session changed it: undoes the steps, last one first.
 * @param content the current content of the file; `null` if it does not exist
 * @returns `null` if the file did not exist; undefined if its content differs from the end of the session, or if the position of a step is
 * ambiguous
 */
export function textBefore(content: string | null, { steps }: FileChange): string | null | undefined {
  const first = steps[0]?.oldText ?? null;
  // It was undone already.
  if (content === first) return first;
  let text: string | null | undefined = content;
  for (const step of steps.toReversed()) text = text === undefined ? undefined : withoutStep(text, step);
  return text;
}

function withoutStep(text: string | null, { oldText = null, newText }: Diff): string | null | undefined {
  // A file that was deleted is reported as one that became empty.
  if ((text ?? '') === newText) return oldText;
  if (text === null || oldText === null || newText === '') return undefined;
  const [before = '', after, ...more] = text.split(newText);
  return after === undefined || more.length > 0 ? undefined : before + oldText + after;
}
