import { KeyIndex } from './key-index.ts';
import { PersistentMap } from './persistent-map.ts';
import { PersistentVector } from './persistent-vector.ts';
import type { PromptEcho } from './prompt-echo.ts';
import type { TerminalView, TranscriptEntry, TranscriptView } from './transcript-view.ts';

/** State of the reducer besides the visible view. Positions are indices of entries. */
export interface TranscriptMemory {
  readonly toolCalls: KeyIndex;
  /** By kind of message and the agent's id. */
  readonly messages: KeyIndex;
  readonly compactions: KeyIndex;
  /** By session id: the child, or the child that contains the session. */
  readonly children: KeyIndex;
  /** The entries, by key, of calls whose output came in chunks. */
  readonly streamed: KeyIndex;
  /** The message that the next chunk of its kind continues. */
  readonly growing?: number | undefined;
  /** The plans of the turn. */
  readonly plans: readonly number[];
  /** Start of the running turn, or of the last one. */
  readonly turnStart: number;
  /** Ids of earlier entries belong to another session, and are ignored. */
  readonly sessionStart: number;
  /** The number of tool calls that are open, or wait for an answer. */
  readonly unsettled: number;
  /** The parts of the prompt that the agent may repeat. */
  readonly echo?: PromptEcho | undefined;
}

/** A view with the state needed to continue it. */
export interface Transcript extends TranscriptView {
  readonly entries: PersistentVector<TranscriptEntry>;
  readonly terminals: PersistentMap<TerminalView>;
  readonly memory: TranscriptMemory;
}

const emptyMemory: TranscriptMemory = {
  toolCalls: KeyIndex.empty,
  messages: KeyIndex.empty,
  compactions: KeyIndex.empty,
  children: KeyIndex.empty,
  streamed: KeyIndex.empty,
  plans: [],
  turnStart: 0,
  sessionStart: 0,
  unsettled: 0,
};

const empty: Transcript = {
  entries: PersistentVector.empty,
  toolCallIndex(toolCallId) {
    return this.memory.toolCalls.get(toolCallId);
  },
  childIndex(sessionId) {
    return this.memory.children.get(sessionId);
  },
  plans: [],
  openChildren: [],
  background: [],
  modes: [],
  configOptions: [],
  commands: [],
  terminals: PersistentMap.empty,
  knownFrom: 0,
  memory: emptyMemory,
};

/** The view of a session without events. */
export function emptyTranscript(): TranscriptView {
  return empty;
}

/** Changes some of the reducer's state. */
export function remember(transcript: Transcript, changes: Partial<TranscriptMemory>): Transcript {
  return { ...transcript, memory: { ...transcript.memory, ...changes } };
}

/** The key of the entry at an index. Entries never move, so the index identifies it. */
export function keyAt(index: number): string {
  return `entry-${index}`;
}

/** An entry without its key. */
export type NewEntry<Entry extends TranscriptEntry = TranscriptEntry> = Entry extends unknown
  ? Omit<Entry, 'key'>
  : never;

/** Appends an entry that ends an open message. */
export function appended(transcript: Transcript, entry: NewEntry): Transcript {
  const closed = withoutGrowing(transcript);
  return { ...closed, entries: closed.entries.push(keyed(entry, closed.entries.length)) };
}

/** Appends an entry outside the conversation: an open message may continue after it. */
export function appendedBeside(transcript: Transcript, entry: NewEntry): Transcript {
  return { ...transcript, entries: transcript.entries.push(keyed(entry, transcript.entries.length)) };
}

/** Replaces the entry at an index. */
export function replaced(transcript: Transcript, index: number, entry: TranscriptEntry): Transcript {
  return { ...transcript, entries: transcript.entries.set(index, entry) };
}

/** Ends the open message: the next chunk without an id starts a new one. */
export function withoutGrowing(transcript: Transcript): Transcript {
  const { growing } = transcript.memory;
  if (growing === undefined) return transcript;
  const entry = transcript.entries.at(growing);
  const isOpen = entry !== undefined && 'isOpen' in entry && entry.isOpen;
  const closed = isOpen ? replaced(transcript, growing, { ...entry, isOpen: false }) : transcript;
  return remember(closed, { growing: undefined });
}

function keyed(entry: NewEntry, index: number): TranscriptEntry {
  return { ...entry, key: keyAt(index) };
}
