import type { TranscriptEntry, TranscriptView } from '@turnwire/client/transcript';
import type { TextMatch } from '@turnwire/protocol';

const types: Readonly<Record<TextMatch['kind'], TranscriptEntry['type'] | undefined>> = {
  title: undefined,
  prompt: 'user',
  message: 'agent',
  call: 'tool-call',
};

/** The row of a found text: the entry of its kind that began at its time, otherwise the last one that began before. Undefined without entries. */
export function soughtRow(
  { entries, firstRow }: { readonly entries: TranscriptView['entries']; readonly firstRow: number },
  { kind, at }: Pick<TextMatch, 'kind' | 'at'>,
): number | undefined {
  let last: number | undefined;
  let index = -1;
  for (const entry of entries) {
    index++;
    const isOfKind = entry.type === types[kind];
    if (isOfKind && entry.at === at) return firstRow + index;
    if (entry.at <= at && (isOfKind || last === undefined)) last = firstRow + index;
  }
  return last;
}
