import type {
  AvailableCommand,
  ContentBlock,
  NewSessionResponse,
  SessionUpdate,
  UsageUpdate,
} from '@turnwire/protocol';
import type { SessionUpdate as V2Update } from '@turnwire/protocol/v2';
import type { SessionConfigOptions } from './session-config-options.ts';
import type { SessionModes } from './session-modes.ts';
import type { SessionDetails } from './session-state.ts';
import type { Turn } from './turn.ts';

/** The context of an update. */
export interface UpdateContext {
  /** True for the replay of a stored session while it is being loaded. */
  readonly isReplay: boolean;
  /** `_meta` of the notification that brought the update, where extensions are, such as the cursor of a gateway. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The update of version 2 that the agent sent, if this one is made from it. Null: the update before was made from the same one. Absent: the
   * agent sent this update itself.
   */
  readonly said?: V2Update | null | undefined;
}

/** Receives every update of a session, in a turn or between turns, in the order of the wire. A returned promise delays the next one. */
export type UpdateListener = (update: SessionUpdate, context: UpdateContext) => void | Promise<void>;

/** Receives every update of a child session, which `child` identifies, as {@link UpdateListener} those of the session. */
export type ChildUpdateListener = (
  child: string,
  update: SessionUpdate,
  context: UpdateContext,
) => void | Promise<void>;

/** Options of a prompt. */
export interface PromptOptions {
  /** Keys for `_meta` of this prompt, besides those of `promptMeta`. Default: none. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** One conversation with an agent. Methods that the agent does not offer are absent. */
export interface Session {
  readonly id: string;
  /** The working directory. */
  readonly cwd: string;
  /** All folders: `cwd` first, then the additional ones. */
  readonly roots: readonly string[];
  /** The agent's answer when the session was set up. The current state is in the properties below. */
  readonly setup: NewSessionResponse;
  /** The configuration options. Prefer them to {@link Session.modes} where both exist. */
  readonly configOptions?: SessionConfigOptions | undefined;
  /** The modes. */
  readonly modes?: SessionModes | undefined;
  /** The slash commands. A prompt that begins with `/name` runs one. */
  readonly commands: readonly AvailableCommand[];
  /** Title and time in the agent's list of sessions. */
  readonly info: SessionDetails;
  /** The size of the context and the cost of the session. Undefined until the agent reports it. */
  readonly usage: UsageUpdate | undefined;
  /**
   * Starts a turn. A string is one block of text. While another turn runs it fails with TurnwireError `busy`, and nothing is sent: sessions of
   * `@turnwire/runtime` have a queue.
   */
  prompt(prompt: string | readonly ContentBlock[], options?: PromptOptions): Turn;
  /** Cancels the running turn, and waits for its end; never rejects. Work in the background continues. */
  cancel(): Promise<void>;
  /** Whether the agent has announced a session with this id that it started for a part of the work. False without the option `childSessions`. */
  hasChild(sessionId: string): boolean;
  /**
   * Closes the session: cancels the running turn, and has the agent release its resources. It stays in the agent's list.
   * Rejects with ProtocolError, or TurnwireError `timeout` after `timeouts.closeSession`; the session is closed on this side all the same.
   */
  readonly close?: () => Promise<void>;
}
