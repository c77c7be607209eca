import type { McpServer } from '@turnwire/protocol';
import type { MessageLoss } from './message-loss.ts';
import type { PermissionListener, UnsentFeedback } from './permission-broker.ts';
import type { ChildUpdateListener, UpdateListener } from './session.ts';
import type { Turn } from './turn.ts';

/** How a new session is set up (protocol: Session Setup). */
export interface NewSessionOptions {
  /** The working directory: an absolute path. */
  readonly cwd: string;
  /**
   * Further folders: absolute paths, always the whole list. Duplicates and `cwd` itself are removed. Default: none. Needs the capability
   * `sessionCapabilities.additionalDirectories`; without it the set-up rejects with `not-advertised`.
   */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** MCP servers for the agent to connect to. Default: none. Those of type `http` and `sse` need a capability. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** Keys for `_meta` of the set-up, for extensions of some agents, such as `systemPrompt`. Default: none. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Receives every update of the session. The session's state, such as `session.modes`, already contains it. */
  readonly onUpdate?: UpdateListener | undefined;
  /**
   * Receives every update of the sessions that the agent has started for parts of the work. A `subagent_update` of this session announces each
   * one first. Only with the option `childSessions` of the agent.
   */
  readonly onChildUpdate?: ChildUpdateListener | undefined;
  /** Receives every permission request and its outcome, also those of child sessions: one `permission-answered` for each `permission-asked`. */
  readonly onPermission?: PermissionListener | undefined;
  /**
   * Receives the reason for a rejection that the agent does not read in the answer: send it as a prompt once the turn is over. Sessions of
   * `@turnwire/runtime` do. Must not throw.
   */
  readonly onFeedback?: ((feedback: UnsentFeedback) => void) | undefined;
  /**
   * Called when a message of the agent was too long to be read (64 MiB over stdio). It may have belonged to another session of the same
   * agent. The running turn continues, and rejects with `limit-exceeded` when the agent has answered. Must not throw.
   */
  readonly onMessageLost?: ((loss: MessageLoss) => void) | undefined;
  /** Overrides the `silence` of the agent's timeouts for this session. */
  readonly silence?: number | undefined;
  /**
   * Called when a turn has been silent for that long: nothing came from the agent, and it is not waiting for an answer from this side.
   * Receives the start of the silence in milliseconds since the epoch; called with undefined once something arrives again. The turn
   * continues.
   */
  readonly onSilence?: ((turn: Turn, silentSince: number | undefined) => void) | undefined;
  /** Aborts the set-up. */
  readonly signal?: AbortSignal | undefined;
}

/** How a stored session is opened: all options are passed again, because agents do not restore folders and servers. */
export interface StoredSessionOptions extends NewSessionOptions {
  readonly sessionId: string;
}
