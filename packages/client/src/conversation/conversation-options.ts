import type { McpServer, SessionUpdate } from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';
import type { HostTerminals } from '../host/host.ts';
import type { RetryOptions } from '../retry/index.ts';
import type { ReconnectOptions } from './reconnecting.ts';
import type { TranscriptEvent, TranscriptView } from '../transcript/index.ts';

/** The part of `Permissions` of `@turnwire/permissions` that a conversation uses. */
export interface ConversationPermissions {
  /** Processes an update about a tool call. Returns a tool that ran without asking, with a text to show about it, once per call. */
  observe(
    sessionId: string,
    update: SessionUpdate,
  ): { readonly toolCallId: string; readonly explanation: string } | undefined;
  /** A turn has ended: pending requests are answered, and permissions for the turn are forgotten. */
  endTurn(sessionId?: string): void;
}

/** Options of a conversation. */
export interface ConversationOptions {
  /** Starts and initializes the agent; called again for every restart. */
  readonly start: (signal: AbortSignal) => Promise<Agent>;
  /** The working directory: an absolute path. */
  readonly cwd: string;
  /** Further folders for the agent. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** MCP servers for the agent to connect to. Default: none. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** Keys for `_meta` of every set-up. Default: none. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Restores this stored session instead of creating a new one. */
  readonly sessionId?: string | undefined;
  /** What to do when it cannot be restored at the start. Default `fail`. After a restart a new one begins, behind a boundary. */
  readonly ifLost?: 'fail' | 'begin-anew' | undefined;
  /** The transcript of the session so far; the agent's replay is then not shown again. */
  readonly transcript?: TranscriptView | undefined;
  /**
   * Whether {@link Conversation.transcript} is updated. With `false`, for callers that only use events, it stays as given. Default: true.
   */
  readonly keepsTranscript?: boolean | undefined;
  /** Detects tools that ran without asking. */
  readonly permissions?: ConversationPermissions | undefined;
  /** The terminals offered to the agent: shown in the transcript, and released with the session. */
  readonly terminals?: Pick<HostTerminals, 'watch' | 'releaseAll'> | undefined;
  /** After how many milliseconds without a message a turn counts as silent. Default 60,000; Infinity: never. */
  readonly silence?: number | undefined;
  /**
   * When the stored session of {@link ConversationOptions.sessionId} was last created or loaded, in milliseconds since 1970. Default:
   * unknown, which counts as just now.
   */
  readonly setUpAt?: number | undefined;
  /**
   * For an agent that cannot load a session too soon: returns the earliest time for `session/load`, given the time the session was last
   * created or loaded; both in milliseconds since 1970. Until then the conversation is `starting`, with `waiting`. Default: at once.
   */
  readonly loadNotBefore?: ((setUpAt: number) => number) | undefined;
  /**
   * For an agent that answers `session/load` before it replays the session: messages and tool calls until the first prompt are replay, too,
   * and the session is ready once no updates have come for a moment. Default: false.
   */
  readonly replaysLate?: boolean | undefined;
  /** The mode of the session, as if `setMode` were called at once. Default: the agent's. */
  readonly modeId?: string | undefined;
  /** Retries when the agent ends or does not answer during its start. Default: no retries. */
  readonly retry?: Pick<RetryOptions, 'attempts' | 'jitter' | 'conditions' | 'sleep' | 'random'> | undefined;
  /**
   * For an agent on another machine: a connection that breaks is made again 1, 2, 4 … 30 seconds later, and the session is restored behind a
   * boundary. What was pending has failed. Failures that would repeat, such as a missing login, end the attempts. Default: none are made.
   */
  readonly reconnect?: ReconnectOptions | undefined;
  /**
   * Called when the turn of a prompt has come, before it is sent, with the id of the prompt; the prompt is not sent until this resolves. If it
   * rejects, the turn fails. Default: prompts are sent at once.
   */
  readonly beforeTurn?: ((id: string) => Promise<void>) | undefined;
  /** Receives every event, for a history. Must not throw. */
  readonly onEvent?: ((event: TranscriptEvent) => void) | undefined;
}
