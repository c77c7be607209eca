import type { McpServer, SessionUpdate } from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';
import type { HostTerminals } from '../host/host.ts';
import type { RetryOptions } from '../retry/index.ts';
import type { TranscriptEvent, TranscriptView } from '../transcript/index.ts';

/** What a conversation needs of the permissions that decide for its agent: the `Permissions` of `@turnwire/permissions` have it. */
export interface ConversationPermissions {
  /** Takes note of an update. Returns which tool ran without asking, and what to show about it, once per call. */
  observe(
    sessionId: string,
    update: SessionUpdate,
  ): { readonly toolCallId: string; readonly explanation: string } | undefined;
  /** A turn is over: what waits for an answer is answered, and what was allowed for the turn is forgotten. */
  endTurn(sessionId?: string): void;
}

/** What a conversation is made with. */
export interface ConversationOptions {
  /** Starts the agent and shakes hands; called again for every restart. */
  readonly start: (signal: AbortSignal) => Promise<Agent>;
  /** The folder to work in: an absolute path. */
  readonly cwd: string;
  /** More folders the agent may work in. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** MCP servers the agent connects to. Default: none. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** Keys for `_meta` of every set-up. Default: none. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Brings this stored session back instead of making a new one. */
  readonly sessionId?: string | undefined;
  /** What to do when it cannot be brought back at the start. Default `fail`. After a restart a new one begins, behind a boundary. */
  readonly ifLost?: 'fail' | 'begin-anew' | undefined;
  /** What was seen of the session before; what the agent replays of it is then not shown again. */
  readonly transcript?: TranscriptView | undefined;
  /** Whether {@link Conversation.transcript} is kept up to date. `false`, for what only listens to events: it stays as it was given. Default: true. */
  readonly keepsTranscript?: boolean | undefined;
  /** Notices tools that ran without asking. */
  readonly permissions?: ConversationPermissions | undefined;
  /** The terminals the agent was offered: shown in the transcript, and released with the session. */
  readonly terminals?: Pick<HostTerminals, 'watch' | 'releaseAll'> | undefined;
  /** After how many milliseconds without a sign of life a turn counts as silent. Default 60,000; Infinity never. */
  readonly silence?: number | undefined;
  /**
   * When the stored session of {@link ConversationOptions.sessionId} was last made or loaded, in milliseconds since 1970. Default: not
   * known, which counts as just now.
   */
  readonly setUpAt?: number | undefined;
  /**
   * For an agent that may not be asked to load a session too soon: the earliest time for `session/load`, of the time the session was
   * last made or loaded; both in milliseconds since 1970. Until then the conversation is `starting`, with `waiting`. Default: at once.
   */
  readonly loadNotBefore?: ((setUpAt: number) => number) | undefined;
  /**
   * For an agent that answers `session/load` before it replays the session: what it tells of messages and tool calls until the first
   * prompt is replay, too, and the session is ready once it has been quiet for a moment. Default: false.
   */
  readonly replaysLate?: boolean | undefined;
  /** The mode the session is to be in, as if `setMode` were called at once. Default: the agent's. */
  readonly modeId?: string | undefined;
  /** Tries again when the agent ends or does not answer while it is started. Default: once is enough. */
  readonly retry?: Pick<RetryOptions, 'attempts' | 'jitter' | 'conditions' | 'sleep' | 'random'> | undefined;
  /** Hears of everything that happens, for a history. Must not throw. */
  readonly onEvent?: ((event: TranscriptEvent) => void) | undefined;
}
