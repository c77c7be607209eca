import type {
  ContentBlock,
  RequestPermissionRequest,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  StopReason,
} from '@turnwire/protocol';
import type { SessionUpdate as V2Update } from '@turnwire/protocol/v2';
import type { TerminalSnapshot } from '../host/host.ts';

/** Why earlier events may be unknown to the agent, or events in between. */
export type BoundaryReason =
  /** A stored session was loaded; the agent replayed its history. */
  | 'loaded'
  /** A session was resumed: the agent knows it and replayed nothing. */
  | 'resumed'
  /** The agent was restarted and knows everything before. */
  | 'restarted'
  /** The session could not be restored: the agent does not know the earlier conversation. */
  | 'context-lost';

/** The outcome of a permission request. */
export interface PermissionOutcome {
  readonly toolCallId: string;
  /** The chosen option; absent: the answer was `cancelled`. */
  readonly optionId?: string;
  readonly allowed: boolean;
  /** The reason of the decision, as a sentence: `allowed by the rule Bash(git *) in .turnwire/permissions.json`. */
  readonly reason: string;
}

/** The session of a permission request. */
export interface OfChild {
  /** The id of the child session that asks. Absent: the session itself. */
  readonly child?: string;
}

/** An error that an agent answered with. */
export interface AgentError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An update from the agent. */
export interface ReceivedUpdate {
  readonly update: SessionUpdate;
  /** It is part of the replay of a stored session while that is loaded. */
  readonly isReplay?: boolean;
  /** The update of version 2 that the agent sent, or null, as in the `UpdateContext` of a session. Views do not need it. */
  readonly said?: V2Update | null;
}

/**
 * The events from which a view of a session is built, in order. `at` is milliseconds since the epoch, set by the creator of the event, so
 * that the reducer stays pure.
 */
export type TranscriptEvent = { readonly at: number } & (
  | {
      readonly type: 'prompt';
      readonly turnId: string;
      readonly content: readonly ContentBlock[];
      /** The key that its client gave it, by which that client knows it. */
      readonly key?: string;
      /** The turn that took the prompt while it ran, and that ends for both. Absent if the prompt starts a turn. */
      readonly into?: string;
    }
  | ({ readonly type: 'update' } & ReceivedUpdate)
  /** An update of a child session. */
  | ({ readonly type: 'child-update'; readonly child: string } & ReceivedUpdate)
  | {
      readonly type: 'setup';
      readonly modes?: SessionModeState | null;
      readonly configOptions?: readonly SessionConfigOption[] | null;
    }
  | ({ readonly type: 'permission-asked'; readonly request: RequestPermissionRequest } & OfChild)
  | ({ readonly type: 'permission-answered'; readonly outcome: PermissionOutcome } & OfChild)
  | { readonly type: 'ran-unasked'; readonly toolCallId: string; readonly explanation: string }
  | { readonly type: 'terminal'; readonly snapshot: TerminalSnapshot }
  /** The user cancelled; the agent has not answered yet. Open tool calls are shown as cancelled from now on. */
  | { readonly type: 'cancel-requested'; readonly turnId: string }
  | {
      readonly type: 'turn-ended';
      readonly turnId: string;
      readonly stopReason: StopReason | (string & {});
      /** The tokens of the turn, and `_meta`, as the agent reported them with its end. */
      readonly usage?: object;
      readonly meta?: Readonly<Record<string, unknown>>;
    }
  /** `error`: the agent's error, if it answered with one. */
  | { readonly type: 'turn-failed'; readonly turnId: string; readonly message: string; readonly error?: AgentError }
  | { readonly type: 'boundary'; readonly reason: BoundaryReason; readonly message: string }
  | {
      readonly type: 'remark';
      readonly severity: 'info' | 'warning' | 'error';
      readonly title: string;
      readonly description?: string;
    }
);
