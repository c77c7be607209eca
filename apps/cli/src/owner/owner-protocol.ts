import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { ScriptedAnswers } from '@turnwire/client/elicitation';
import type { McpServer, SessionUpdate } from '@turnwire/protocol';
import type { Draft } from '../commands/prompt-source.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import type { AgentChoice, SessionRecord } from '../store/session-record.ts';

/**
 * What an owner and the commands that use it say to each other: JSON-RPC on a socket, with methods of our own. Both ends are the
 * same program, and a command that meets an owner of another version is told so.
 */
export const ownerProtocol = 2;

/**
 * Bytes of the longest message between an owner and a command. A message of the agent may be 64 MiB long, and travels as a text in a
 * message of ours, where every character may take another one.
 */
export const longestMessage: number = 2 * 64 * 2 ** 20 + 2 ** 20;

/** What the lock of an owner says besides who holds it. */
export interface OwnerDetails {
  readonly socket: string;
  /** Whoever can read the lock may talk to the owner. */
  readonly token: string;
}

/** What an owner is started with. Sent, never written down: it may hold secrets. */
export interface OwnerStart {
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
  /** Seconds without anything to do; 0: for ever. */
  readonly ttl: number;
  /** Fail rather than begin a new session when the agent cannot bring this one back. */
  readonly failsIfLost: boolean;
  /** Brings this session of the agent back instead of making a new one. */
  readonly resumeSessionId?: string;
}

/** What a started owner tells the command that started it. */
export type OwnerNews =
  | { readonly type: 'listening' }
  | { readonly type: 'refused'; readonly pid: number }
  | { readonly type: 'failed'; readonly message: string };

/** `_owner/hello`: the first thing a command says. */
export interface Hello {
  readonly protocol: number;
  readonly token: string;
  /** A new limit, if one was given. */
  readonly ttl?: number;
}

/** `_owner/prompt`. Answered with a {@link PromptOutcome}, or at once with nothing if nobody waits for it. */
export interface PromptOrder {
  readonly promptId: string;
  readonly draft: Draft;
  readonly permission: PermissionSettings;
  /** What to tell while the turn runs. */
  readonly wants: 'frames' | 'updates';
  readonly canAsk: boolean;
  /** Answer as soon as it is queued. */
  readonly isQueuedOnly: boolean;
  /** Seconds the turn may take, for a prompt nobody waits for. */
  readonly timeout?: number;
  readonly maxCost?: number;
  readonly retries?: number;
  readonly model?: string;
  readonly isVerbose?: true;
  /** Do not give it to an agent that has lost what came before. */
  readonly failsIfLost: boolean;
}

/** How a turn ended. */
export interface PromptOutcome {
  readonly stopReason: string;
  /** The agent asked for permission and was granted none. */
  readonly isDenied: boolean;
  /** Why the owner stopped it, if it did. */
  readonly stopped?: { readonly reason: 'max-cost' | 'timeout' | 'cannot-ask'; readonly message: string };
}

/** `_owner/frame`, `_owner/update` and `_owner/remark`: what happens in the turn of a prompt. */
export interface FrameNews {
  readonly frame: string;
}
export interface UpdateNews {
  readonly update: SessionUpdate;
}
export interface RemarkNews {
  readonly message: string;
}

/** The answer to `_owner/ask`, with which the owner sends the view of a question for the user in front of the command. */
export interface AskAnswer {
  /** The place of what was chosen among the choices of the view; absent: no answer. */
  readonly choice?: number;
}

/** `_owner/status`. */
export interface OwnerStatus {
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly state: string;
  readonly queued: number;
  readonly record: SessionRecord;
}
