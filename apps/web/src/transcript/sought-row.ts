import type { TranscriptEntry, TranscriptView } from '@turnwire/client/transcript';
import type { TextMatch } from '@turnwire/protocol';

const types: Readonly<Record<TextMatch['kind'], TranscriptEntry['type'] | undefined>> = {
  title: undefined,
  prompt: 'user',
  message: 'agent',
  call: 'tool-call',
};

/**
 * The row of a found text: the entry of its kind that began at its time, otherwise the last one that began before. Of several that began at the same
 * time, the one with the text. Undefined without entries.
 */
export function soughtRow(
  { entries, firstRow }: { readonly entries: TranscriptView['entries']; readonly firstRow: number },
  { kind, at, text }: Pick<TextMatch, 'kind' | 'at' | 'text'>,
): number | undefined {
  let exact: number | undefined;
  let last: number | undefined;
  let index = -1;
  for (const entry of entries) {
    index++;
    const isOfKind = entry.type === types[kind];
    if (isOfKind && entry.at === at) {
      if (hasText(entry, text)) return firstRow + index;
      exact ??= firstRow + index;
    }
    if (entry.at <= at && (isOfKind || last === undefined)) last = firstRow + index;
  }
  return exact ?? last;
}

/** @param text a part of the text, perhaps with an ellipsis where it was cut */
function hasText(entry: TranscriptEntry, text: string): boolean {
  const quoted = JSON.stringify(text.replaceAll(/^…|…$/g, '').trim()).slice(1, -1);
  return JSON.stringify(entry).includes(quoted);
}
