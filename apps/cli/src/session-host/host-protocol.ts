import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { ScriptedAnswers } from '@turnwire/client/elicitation';
import type { McpServer, SessionUpdate } from '@turnwire/protocol';
import type { Draft } from '../driving/prompt-content.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import type { AgentChoice, SessionRecord } from '../store/session-record.ts';

/**
 * The messages between a session host and the commands that use it: JSON-RPC on a socket, with methods of our own. Both ends are the
 * same program, and a command that meets a host of another version gets an error.
 */
export const hostProtocol = 2;

/**
 * Bytes of the longest message between a session host and a command. A message of the agent may be 64 MiB long, and travels as a text in a
 * message of ours, where every character may need an escape.
 */
export const longestMessage: number = 2 * 64 * 2 ** 20 + 2 ** 20;

/** The content of a session host's lock besides its holder. */
export interface HostDetails {
  readonly socket: string;
  /** Proves that a command could read the lock. */
  readonly token: string;
}

/** What a session host is started with. Sent, never stored: it may hold secrets. */
export interface HostStart {
  readonly recordId: string;
  /** The words that start the agent. */
  readonly command: readonly string[];
  readonly agent: AgentChoice;
  /** Variables the agent gets, by name and value. */
  readonly env: Readonly<Record<string, string>>;
  readonly inheritEnv: readonly string[];
  readonly differences?: AgentDifferences | undefined;
  readonly mcpServers: readonly McpServer[];
  readonly authPolicy: 'skip' | 'fail';
  /** Answers to the agent's questions. */
  readonly answers?: ScriptedAnswers;
  /** Where to write every frame to. */
  readonly trace?: string;
  /** Seconds without activity; 0: no limit. */
  readonly ttl: number;
  /** Fail instead of creating a new session if the agent cannot restore this one. */
  readonly failsIfLost: boolean;
  /** Restores this session of the agent instead of creating a new one. */
  readonly resumeSessionId?: string;
}

/** What a started session host reports to the command that started it. */
export type HostNews =
  | { readonly type: 'listening' }
  | { readonly type: 'refused'; readonly pid: number }
  | { readonly type: 'failed'; readonly message: string };

/** `_host/hello`: the first message of a command. */
export interface Hello {
  readonly protocol: number;
  readonly token: string;
  /** A new limit, if given. */
  readonly ttl?: number;
}

/** `_host/prompt`. Answered with a {@link PromptOutcome}, or at once with nothing if the command does not wait. */
export interface PromptOrder {
  readonly promptId: string;
  readonly draft: Draft;
  readonly permission: PermissionSettings;
  /** What to send while the turn runs. */
  readonly wants: 'frames' | 'updates';
  readonly canAsk: boolean;
  /** Answer as soon as it is queued. */
  readonly isQueuedOnly: boolean;
  /** Seconds the turn may take, for a prompt that no command waits for. */
  readonly timeout?: number;
  readonly maxCost?: number;
  readonly retries?: number;
  readonly model?: string;
  readonly isVerbose?: true;
  /** Do not send it to an agent that has lost the context. */
  readonly failsIfLost: boolean;
}

/** How a turn ended. */
export interface PromptOutcome {
  readonly stopReason: string;
  /** The agent asked for permission and got none. */
  readonly isDenied: boolean;
  /** Why the session host stopped it, if it did. */
  readonly stopped?: { readonly reason: 'max-cost' | 'timeout' | 'cannot-ask'; readonly message: string };
}

/** `_host/frame`, `_host/update` and `_host/remark`: the events in the turn of a prompt. */
export interface FrameNews {
  readonly frame: string;
}
export interface UpdateNews {
  readonly update: SessionUpdate;
}
export interface RemarkNews {
  readonly message: string;
}

/** The answer to `_host/ask`, which carries the view of a question for the user of the command. */
export interface AskAnswer {
  /** The index of the chosen one among the choices of the view; absent: no answer. */
  readonly choice?: number;
}

/** `_host/status`. */
export interface HostStatus {
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly state: string;
  readonly queued: number;
  readonly record: SessionRecord;
}
