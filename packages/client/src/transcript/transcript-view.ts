import type {
  AgentWork,
  AvailableCommand,
  ContentBlock,
  Cost,
  PlanEntry,
  SessionConfigOption,
  SessionMode,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
  UnknownVariant,
} from '@turnwire/protocol';
import type { BoundaryReason, PermissionOutcome } from './transcript-event.ts';

/** An immutable list whose versions share their common parts: changing or adding one item costs O(log n). */
export interface Sequence<Item> extends Iterable<Item> {
  readonly length: number;
  /** The item at an index from 0; undefined outside the list. */
  at(index: number): Item | undefined;
  /** The items from `start` to before `end`, as an array. */
  slice(start: number, end?: number): readonly Item[];
  /** All items, for `JSON.stringify`. */
  toJSON(): readonly Item[];
}

/** A message of the user or the agent, or a thought of the agent. Chunks of one message are one entry. */
export interface MessageEntry {
  readonly type: 'user' | 'agent' | 'thought';
  readonly key: string;
  readonly at: number;
  /** The agent's id of the message, if it has one. */
  readonly messageId?: string;
  /** Neighbouring texts are joined to one block; other content stays unchanged. */
  readonly content: readonly ContentBlock[];
  /** More chunks may follow. */
  readonly isOpen: boolean;
  /** Replayed by the agent when a session was loaded. */
  readonly isReplay: boolean;
  /** A prompt for a turn that ran already: it steers the turn, or continues it after a pause. */
  readonly isWithinTurn?: true;
}

/** The state of a tool call. `abandoned`: the turn ended, the call did not. `paused` and `cancelled` come from agents of version 2. */
export type ToolCallState =
  | 'pending'
  | 'in_progress'
  | 'paused'
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
  /** The command, if the call runs one: from any field of `rawInput` that agents use for it. */
  readonly command?: string;
  /** Its output, from any field that agents use: content, `rawOutput`, or chunks in `_meta`. At most the last 262,144 UTF-16 units. */
  readonly output?: string;
  /** The beginning of the output was left out, because it is longer. */
  readonly isOutputCut?: boolean;
  readonly exitCode?: number | null;
  /** The pending permission request, or its answer. */
  readonly permission?: { readonly state: 'asked' } | ({ readonly state: 'answered' } & PermissionOutcome);
  /** When the permission was answered, in milliseconds since the epoch: the time before was spent waiting. */
  readonly answeredAt?: number;
  /** It changed something without asking, in a mode that asks: a text for the user. */
  readonly ranUnasked?: string;
  /** When it ended, in milliseconds since the epoch. */
  readonly endedAt?: number;
  /** The key of the parent call, for agents that nest calls. */
  readonly parentKey?: string;
  /** The agent can cancel it separately. */
  readonly canCancel?: boolean;
  readonly isReplay: boolean;
}

/** A plan of the agent: steps, a text in Markdown, or a file. */
export interface Plan {
  /** The agent's id, if it has several plans. */
  readonly planId?: string;
  readonly entries: readonly PlanEntry[];
  readonly markdown?: string;
  /** The address of the file with the plan. */
  readonly uri?: string;
}

/** A plan of a turn. It changes in place, and is empty after the agent has removed it. */
export interface PlanEntryList extends Plan {
  readonly type: 'plan';
  readonly key: string;
  readonly at: number;
}

/** A session that the agent has started for a part of the work. */
export interface ChildSessionEntry {
  readonly type: 'child-session';
  readonly key: string;
  readonly at: number;
  readonly sessionId: string;
  /** The kind of subagent, or the agent that works in it, if the agent reports it. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** `running`, `requires_action` or `idle`. Undefined: the agent has not confirmed it. */
  readonly state?: string;
  /** How its last turn ended. */
  readonly stopReason?: string;
  /** The error of a failed turn. */
  readonly error?: string;
  /** The agent can cancel it separately. */
  readonly canCancel: boolean;
  readonly transcript: TranscriptView;
}

/** A message from one session to another. */
export interface SessionMessageEntry {
  readonly type: 'session-message';
  readonly key: string;
  readonly at: number;
  readonly messageId: string;
  /** The title of the session that sent it, or its id. Absent: not reported. */
  readonly from?: string;
  /** The title of the session that received it, or its id. Absent: not reported. */
  readonly to?: string;
  readonly content: readonly ContentBlock[];
}

/** A message to the user that is not part of the conversation. */
export interface NoticeEntry {
  readonly type: 'notice';
  readonly key: string;
  readonly at: number;
  readonly severity: 'info' | 'warning' | 'error' | (string & {});
  readonly title: string;
  readonly description?: string;
  /** Whether the agent sent it, or this client. */
  readonly from: 'agent' | 'client';
}

/** The agent compacted its context of the conversation. */
export interface CompactionEntry {
  readonly type: 'compaction';
  readonly key: string;
  readonly at: number;
  readonly compactionId: string;
  readonly status: string;
  readonly summary: readonly ContentBlock[];
  readonly error?: string;
}

/** A line across the conversation: see {@link BoundaryReason}. */
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
  /** The error of a failed turn. */
  readonly error?: string;
}

/** An update of an unknown kind, stored unchanged. A kind that the protocol knows does not compile here: the reducer must name it. */
export interface UnknownEntry {
  readonly type: 'unknown';
  readonly key: string;
  readonly at: number;
  readonly update: UnknownVariant<'sessionUpdate'>;
}

/** An item of a conversation. `key` is unique in the transcript and stays while the entry changes. */
export type TranscriptEntry =
  | MessageEntry
  | ToolCallEntry
  | PlanEntryList
  | ChildSessionEntry
  | SessionMessageEntry
  | NoticeEntry
  | CompactionEntry
  | BoundaryEntry
  | TurnEndEntry
  | UnknownEntry;

/** A terminal of the client or the agent. It stays after its release. The output of an agent's terminal is part of its tool call. */
export interface TerminalView {
  readonly terminalId: string;
  readonly command: string;
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly isRunning: boolean;
  /** The agent can cancel it separately. */
  readonly canCancel?: boolean;
}

/** Everything visible of a session. Immutable: an event creates a new view, which shares the unchanged parts. */
export interface TranscriptView {
  readonly entries: Sequence<TranscriptEntry>;
  /** The index of a tool call's entry, by the agent's id. */
  toolCallIndex(toolCallId: string): number | undefined;
  readonly title?: string;
  /** The index of a child session's entry; of a session that a child has started, that of the child. */
  childIndex(sessionId: string): number | undefined;
  /** The plans of the running or last turn, and those with an id that the agent has not removed. */
  readonly plans: readonly Plan[];
  /** The ids of the child sessions that run. */
  readonly openChildren: readonly string[];
  /** The work in the background, as the agent reported it last. */
  readonly background: readonly AgentWork[];
  readonly modes: readonly SessionMode[];
  readonly currentModeId?: string;
  readonly configOptions: readonly SessionConfigOption[];
  readonly commands: readonly AvailableCommand[];
  readonly terminals: ReadonlyMap<string, TerminalView>;
  readonly usage?: { readonly used: number; readonly size: number };
  readonly cost?: Cost;
  /** The running turn. */
  readonly turnId?: string;
  /** The agent knows the entries from the last boundary `context-lost` on. 0 without such a boundary. */
  readonly knownFrom: number;
}
