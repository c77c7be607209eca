import type {
  AvailableCommand,
  ContentBlock,
  Cost,
  PlanEntry,
  SessionConfigOption,
  SessionMode,
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from '@turnwire/protocol';
import type { BoundaryReason, PermissionOutcome } from './transcript-event.ts';

/** An immutable list that shares what two versions have in common: changing or adding one item costs O(log n). */
export interface Sequence<Item> extends Iterable<Item> {
  readonly length: number;
  /** The item at an index from 0; undefined outside. */
  at(index: number): Item | undefined;
  /** The items from `start` up to but without `end`, as an array. */
  slice(start: number, end?: number): readonly Item[];
}

/** What somebody said: a user, the agent, or the agent to itself. Chunks of one message are one entry. */
export interface MessageEntry {
  readonly type: 'user' | 'agent' | 'thought';
  readonly key: string;
  readonly at: number;
  /** The agent's id of the message, where it gives one. */
  readonly messageId?: string;
  /** Neighbouring texts are joined to one block; everything else stays as it came. */
  readonly content: readonly ContentBlock[];
  /** More may come. */
  readonly isOpen: boolean;
  /** Replayed by the agent when a session was loaded. */
  readonly isReplay: boolean;
}

/** What became of a tool call. `cancelled` and `abandoned` (the turn ended, the call did not) are known only here. */
export type ToolCallState =
  | 'pending'
  | 'in_progress'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'abandoned'
  | (string & {});

/** A tool call with all its updates merged. */
export interface ToolCallEntry {
  readonly type: 'tool-call';
  readonly key: string;
  readonly at: number;
  readonly toolCallId: string;
  readonly title: string;
  readonly name?: string;
  readonly kind: ToolKind | (string & {});
  readonly state: ToolCallState;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly meta?: { readonly [key: string]: unknown };
  /** The command, where the call is one: from `rawInput`, whatever the agent calls the field. */
  readonly command?: string;
  /** What it printed, wherever the agent put it: content, `rawOutput`, or deltas in `_meta`. At most the last 262,144 UTF-16 units. */
  readonly output?: string;
  readonly exitCode?: number | null;
  /** The permission that is being asked for, or how it was answered. */
  readonly permission?: { readonly state: 'asked' } | ({ readonly state: 'answered' } & PermissionOutcome);
  /** When the permission was answered, in milliseconds since the epoch: what it took before was no work. */
  readonly answeredAt?: number;
  /** It changed something without asking, in a mode that asks: what to tell the user. */
  readonly ranUnasked?: string;
  /** When it reached an end, in milliseconds since the epoch. */
  readonly endedAt?: number;
  /** The key of the call it is part of, for agents that nest calls. */
  readonly parentKey?: string;
  readonly isReplay: boolean;
}

/** What the agent plans to do. A turn has one; it changes in place. */
export interface PlanEntryList {
  readonly type: 'plan';
  readonly key: string;
  readonly at: number;
  readonly entries: readonly PlanEntry[];
}

/** A message to the user that is no part of the conversation. */
export interface NoticeEntry {
  readonly type: 'notice';
  readonly key: string;
  readonly at: number;
  readonly severity: 'info' | 'warning' | 'error' | (string & {});
  readonly title: string;
  readonly description?: string;
  /** Whether the agent said it, or this client. */
  readonly from: 'agent' | 'client';
}

/** The agent made its memory of the conversation shorter. */
export interface CompactionEntry {
  readonly type: 'compaction';
  readonly key: string;
  readonly at: number;
  readonly compactionId: string;
  readonly status: string;
  readonly summary: readonly ContentBlock[];
  readonly error?: string;
}

/** A line through the conversation: see {@link BoundaryReason}. */
export interface BoundaryEntry {
  readonly type: 'boundary';
  readonly key: string;
  readonly at: number;
  readonly reason: BoundaryReason;
  readonly message: string;
}

/** How a turn ended: the last entry of each. */
export interface TurnEndEntry {
  readonly type: 'turn-end';
  readonly key: string;
  readonly at: number;
  readonly turnId: string;
  /** Absent: it failed. */
  readonly stopReason?: string;
  /** What went wrong. */
  readonly error?: string;
}

/** An update this version does not know, kept as it came. */
export interface UnknownEntry {
  readonly type: 'unknown';
  readonly key: string;
  readonly at: number;
  readonly update: SessionUpdate;
}

/** One thing in a conversation. `key` is unique in the transcript and stays while the entry changes. */
export type TranscriptEntry =
  | MessageEntry
  | ToolCallEntry
  | PlanEntryList
  | NoticeEntry
  | CompactionEntry
  | BoundaryEntry
  | TurnEndEntry
  | UnknownEntry;

/** A terminal of the client that an entry shows. Stays after the agent released it. */
export interface TerminalView {
  readonly terminalId: string;
  readonly command: string;
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly isRunning: boolean;
}

/** Everything there is to see of a session. Immutable: an event makes a new view, which shares what did not change. */
export interface TranscriptView {
  readonly entries: Sequence<TranscriptEntry>;
  /** The index of a tool call's entry, by the agent's id. */
  toolCallIndex(toolCallId: string): number | undefined;
  readonly title?: string;
  /** The plan of the running or last turn. */
  readonly plan: readonly PlanEntry[];
  readonly modes: readonly SessionMode[];
  readonly currentModeId?: string;
  readonly configOptions: readonly SessionConfigOption[];
  readonly commands: readonly AvailableCommand[];
  readonly terminals: ReadonlyMap<string, TerminalView>;
  readonly usage?: { readonly used: number; readonly size: number };
  readonly cost?: Cost;
  /** The turn that runs. */
  readonly turnId?: string;
  /** Entries from the last boundary `context-lost` on are what the agent knows; 0 if there is none. */
  readonly knownFrom: number;
}
