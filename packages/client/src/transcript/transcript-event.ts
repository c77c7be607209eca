import type {
  ContentBlock,
  RequestPermissionRequest,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  StopReason,
} from '@turnwire/protocol';
import type { TerminalSnapshot } from '../host/host.ts';

/** Why what came before may be unknown to the agent, or what came between. */
export type BoundaryReason =
  /** A stored session was loaded; the agent replayed what it knows. */
  | 'loaded'
  /** A session was resumed: the agent knows it and replayed nothing. */
  | 'resumed'
  /** The agent was started again and knows everything that came before. */
  | 'restarted'
  /** The session could not be brought back: the agent knows nothing of what came before. */
  | 'context-lost';

/** How a permission request ended. */
export interface PermissionOutcome {
  readonly toolCallId: string;
  /** The option that was chosen; absent: the answer was `cancelled`. */
  readonly optionId?: string;
  readonly allowed: boolean;
  /** Who or what decided, as a sentence: `allowed by the rule Bash(git *) in .turnwire/permissions.json`. */
  readonly reason: string;
}

/**
 * Everything a view of a session is made from, in the order it happened. `at` is milliseconds since the epoch; whoever makes an
 * event sets it, so that the reducer stays pure.
 */
export type TranscriptEvent = { readonly at: number } & (
  | { readonly type: 'prompt'; readonly turnId: string; readonly content: readonly ContentBlock[] }
  /** `isReplay`: part of what the agent tells of a stored session while it is loaded. */
  | { readonly type: 'update'; readonly update: SessionUpdate; readonly isReplay?: boolean }
  | {
      readonly type: 'setup';
      readonly modes?: SessionModeState | null;
      readonly configOptions?: readonly SessionConfigOption[] | null;
    }
  | { readonly type: 'permission-asked'; readonly request: RequestPermissionRequest }
  | { readonly type: 'permission-answered'; readonly outcome: PermissionOutcome }
  | { readonly type: 'ran-unasked'; readonly toolCallId: string; readonly explanation: string }
  | { readonly type: 'terminal'; readonly snapshot: TerminalSnapshot }
  /** The user cancelled; the agent has not answered yet. Tool calls that are open are shown as cancelled from now on. */
  | { readonly type: 'cancel-requested'; readonly turnId: string }
  | { readonly type: 'turn-ended'; readonly turnId: string; readonly stopReason: StopReason | (string & {}) }
  | { readonly type: 'turn-failed'; readonly turnId: string; readonly message: string }
  | { readonly type: 'boundary'; readonly reason: BoundaryReason; readonly message: string }
  | {
      readonly type: 'remark';
      readonly severity: 'info' | 'warning' | 'error';
      readonly title: string;
      readonly description?: string;
    }
);
