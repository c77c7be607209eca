import type { McpServer } from '@turnwire/protocol';
import type { MessageLoss } from './message-loss.ts';
import type { PermissionListener } from './permission-broker.ts';
import type { UpdateListener } from './session.ts';
import type { Turn } from './turn.ts';

/** What a new session is made with (protocol: Session Setup). */
export interface NewSessionOptions {
  /** The folder to work in: an absolute path. */
  readonly cwd: string;
  /**
   * More folders to work in: absolute paths, always the whole list. Repetitions and `cwd` itself are left out. Default: none. Needs the
   * capability `sessionCapabilities.additionalDirectories`; without it the set-up rejects with `not-advertised`.
   */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** MCP servers the agent connects to. Default: none. Those of type `http` and `sse` need a capability. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** Keys for `_meta` of the set-up, for what some agents understand beyond the protocol, such as `systemPrompt`. Default: none. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Sees every update of the session. Session state, such as `session.modes`, has taken it in before. */
  readonly onUpdate?: UpdateListener | undefined;
  /** Sees every permission request and how it ended: one `permission-answered` for each `permission-asked`. */
  readonly onPermission?: PermissionListener | undefined;
  /**
   * Called when a message of the agent was too long to be read (64 MiB over stdio). It may have been of another session of the same
   * agent. The turn that runs continues, and rejects with `limit-exceeded` when the agent has answered. Must not throw.
   */
  readonly onMessageLost?: ((loss: MessageLoss) => void) | undefined;
  /** Overrules the `silence` of the agent's timeouts for this session. */
  readonly silence?: number | undefined;
  /**
   * Called when a turn has been silent for that long: nothing came from the agent, and nothing it asked waits for an answer of ours. Given
   * since when, in milliseconds since the epoch; called with undefined once something is heard again. The turn continues.
   */
  readonly onSilence?: ((turn: Turn, silentSince: number | undefined) => void) | undefined;
  /** Aborts the set-up. */
  readonly signal?: AbortSignal | undefined;
}

/** What a stored session is opened with: everything is given anew, for agents restore no folders and servers by themselves. */
export interface StoredSessionOptions extends NewSessionOptions {
  readonly sessionId: string;
}
