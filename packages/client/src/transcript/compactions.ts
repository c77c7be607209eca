import type { CompactionSummaryChunk, CompactionUpdate } from '@turnwire/protocol';
import { joined } from './messages.ts';
import { appended, remember, replaced, type Transcript } from './transcript.ts';
import type { CompactionEntry } from './transcript-view.ts';

/** For summary and error, absent means unchanged, null removes, a value replaces. */
export function withCompaction(transcript: Transcript, update: CompactionUpdate, at: number): Transcript {
  const { compactionId, status, summary, error } = update;
  return changed(transcript, { compactionId, at }, ({ error: before, ...entry }) => {
    const now = error === undefined ? before : (error ?? undefined);
    return {
      ...entry,
      status,
      summary: summary === undefined ? entry.summary : (summary ?? []),
      ...(now !== undefined && { error: now }),
    };
  });
}

/** Appends a chunk of the summary. */
export function withSummaryChunk(
  transcript: Transcript,
  { compactionId, content }: CompactionSummaryChunk,
  at: number,
): Transcript {
  return changed(transcript, { compactionId, at }, (entry) => ({ ...entry, summary: joined(entry.summary, content) }));
}

interface Which {
  readonly compactionId: string;
  readonly at: number;
}

/** The first report, even if it is a chunk, determines the position in the conversation. */
function changed(
  transcript: Transcript,
  which: Which,
  change: (entry: CompactionEntry) => CompactionEntry,
): Transcript {
  const { compactionId, at } = which;
  const { compactions, sessionStart } = transcript.memory;
  const index = compactions.get(compactionId);
  const known = index === undefined || index < sessionStart ? undefined : transcript.entries.at(index);
  if (index !== undefined && known?.type === 'compaction') return replaced(transcript, index, change(known));
  const blank: CompactionEntry = { type: 'compaction', key: '', at, compactionId, status: 'in_progress', summary: [] };
  const { key: _, ...entry } = change(blank);
  return remember(appended(transcript, entry), {
    compactions: compactions.with(compactionId, transcript.entries.length),
  });
}
