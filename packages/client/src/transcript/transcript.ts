import { KeyIndex } from './key-index.ts';
import { PersistentMap } from './persistent-map.ts';
import { PersistentVector } from './persistent-vector.ts';
import type { PromptEcho } from './prompt-echo.ts';
import type { TerminalView, TranscriptEntry, TranscriptView } from './transcript-view.ts';

/** What the reducer has to remember besides what there is to see. Places are indices of entries. */
export interface TranscriptMemory {
  readonly toolCalls: KeyIndex;
  /** By kind of message and the agent's id. */
  readonly messages: KeyIndex;
  readonly compactions: KeyIndex;
  /** The entries, by key, of calls whose output came in pieces. */
  readonly streamed: KeyIndex;
  /** The message that the next chunk of its kind continues. */
  readonly growing?: number | undefined;
  /** The plan of the turn. */
  readonly plan?: number | undefined;
  /** Where the turn that runs, or the last one, began. */
  readonly turnStart: number;
  /** The ids of earlier entries are of another session, so they mean nothing any more. */
  readonly sessionStart: number;
  /** No tool call before this place is open. */
  readonly settledUpTo: number;
  /** What the agent may repeat of the prompt. */
  readonly echo?: PromptEcho | undefined;
}

/** A view with what it takes to go on from it. */
export interface Transcript extends TranscriptView {
  readonly entries: PersistentVector<TranscriptEntry>;
  readonly terminals: PersistentMap<TerminalView>;
  readonly memory: TranscriptMemory;
}

const emptyMemory: TranscriptMemory = {
  toolCalls: KeyIndex.empty,
  messages: KeyIndex.empty,
  compactions: KeyIndex.empty,
  streamed: KeyIndex.empty,
  turnStart: 0,
  sessionStart: 0,
  settledUpTo: 0,
};

const empty: Transcript = {
  entries: PersistentVector.empty,
  toolCallIndex(toolCallId) {
    return this.memory.toolCalls.get(toolCallId);
  },
  plan: [],
  modes: [],
  configOptions: [],
  commands: [],
  terminals: PersistentMap.empty,
  knownFrom: 0,
  memory: emptyMemory,
};

/** The view of a session in which nothing has happened yet. */
export function emptyTranscript(): TranscriptView {
  return empty;
}

/** The view with some of its memory changed. */
export function remember(transcript: Transcript, changes: Partial<TranscriptMemory>): Transcript {
  return { ...transcript, memory: { ...transcript.memory, ...changes } };
}

/** The key of the entry at a place: entries never move, so the place is enough. */
export function keyAt(place: number): string {
  return `entry-${place}`;
}

/** An entry that is still to get its key. */
export type NewEntry<Entry extends TranscriptEntry = TranscriptEntry> = Entry extends unknown
  ? Omit<Entry, 'key'>
  : never;

/** The view with one more entry, which a message that grew does not jump over. */
export function appended(transcript: Transcript, entry: NewEntry): Transcript {
  const closed = withoutGrowing(transcript);
  return { ...closed, entries: closed.entries.push(keyed(entry, closed.entries.length)) };
}

/** The view with one more entry that stands beside the conversation: a message may go on after it. */
export function appendedBeside(transcript: Transcript, entry: NewEntry): Transcript {
  return { ...transcript, entries: transcript.entries.push(keyed(entry, transcript.entries.length)) };
}

/** The view with another entry in place of one. */
export function replaced(transcript: Transcript, place: number, entry: TranscriptEntry): Transcript {
  return { ...transcript, entries: transcript.entries.set(place, entry) };
}

/** The view in which no message grows: the next chunk without an id begins a new one. */
export function withoutGrowing(transcript: Transcript): Transcript {
  const { growing } = transcript.memory;
  if (growing === undefined) return transcript;
  const entry = transcript.entries.at(growing);
  const isOpen = entry !== undefined && 'isOpen' in entry && entry.isOpen;
  const closed = isOpen ? replaced(transcript, growing, { ...entry, isOpen: false }) : transcript;
  return remember(closed, { growing: undefined });
}

function keyed(entry: NewEntry, place: number): TranscriptEntry {
  return { ...entry, key: keyAt(place) };
}
