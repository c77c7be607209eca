import type { CompactionSummaryChunk, CompactionUpdate } from '@turnwire/protocol';
import { joined } from './messages.ts';
import { appended, remember, replaced, type Thread } from './thread.ts';
import type { CompactionEntry } from './thread-view.ts';

/** Of summary and error, absent leaves what is there, null takes it away, a value replaces it. */
export function withCompaction(thread: Thread, update: CompactionUpdate, at: number): Thread {
  const { compactionId, status, summary, error } = update;
  return changed(thread, { compactionId, at }, ({ error: before, ...entry }) => {
    const now = error === undefined ? before : (error ?? undefined);
    return {
      ...entry,
      status,
      summary: summary === undefined ? entry.summary : (summary ?? []),
      ...(now !== undefined && { error: now }),
    };
  });
}

/** A piece of the summary goes behind the pieces before. */
export function withSummaryChunk(
  thread: Thread,
  { compactionId, content }: CompactionSummaryChunk,
  at: number,
): Thread {
  return changed(thread, { compactionId, at }, (entry) => ({ ...entry, summary: joined(entry.summary, content) }));
}

interface Which {
  readonly compactionId: string;
  readonly at: number;
}

/** What comes first fixes the place in the conversation, even if it is a chunk. */
function changed(thread: Thread, which: Which, change: (entry: CompactionEntry) => CompactionEntry): Thread {
  const { compactionId, at } = which;
  const { compactions, sessionStart } = thread.memory;
  const place = compactions.get(compactionId);
  const known = place === undefined || place < sessionStart ? undefined : thread.entries.at(place);
  if (place !== undefined && known?.type === 'compaction') return replaced(thread, place, change(known));
  const blank: CompactionEntry = { type: 'compaction', key: '', at, compactionId, status: 'in_progress', summary: [] };
  const { key: _, ...entry } = change(blank);
  return remember(appended(thread, entry), { compactions: compactions.with(compactionId, thread.entries.length) });
}
