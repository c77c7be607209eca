import type {
  AvailableCommand,
  ContentBlock,
  NewSessionResponse,
  SessionUpdate,
  UsageUpdate,
} from '@turnwire/protocol';
import type { SessionConfigOptions } from './session-config-options.ts';
import type { SessionModes } from './session-modes.ts';
import type { SessionDetails } from './session-state.ts';
import type { Turn } from './turn.ts';

/** What a listener may know besides the update. */
export interface UpdateContext {
  /** True for what the agent tells of a stored session while it is being loaded. */
  readonly isReplay: boolean;
}

/** Sees every update of a session, in a turn or between turns, in the order of the wire. A returned promise holds the next one back. */
export type UpdateListener = (update: SessionUpdate, context: UpdateContext) => void | Promise<void>;

/** A prompt that waits for the turns before it. */
export interface QueuedTurn {
  readonly turn: Turn;
  readonly content: readonly ContentBlock[];
}

/** One conversation with an agent. What the agent does not offer is absent. */
export interface Session {
  readonly id: string;
  /** The folder it works in. */
  readonly cwd: string;
  /** All the folders it works in: `cwd` first, then the additional ones. */
  readonly roots: readonly string[];
  /** What the agent answered when the session was set up. What has become of it since is in the properties below. */
  readonly setup: NewSessionResponse;
  /** The configuration options. To be preferred to {@link Session.modes} where both are there. */
  readonly configOptions?: SessionConfigOptions | undefined;
  /** The modes. */
  readonly modes?: SessionModes | undefined;
  /** The slash commands there are. One is run by a prompt that begins with `/name`. */
  readonly commands: readonly AvailableCommand[];
  /** What the agent's list of sessions says about it. */
  readonly info: SessionDetails;
  /** How full the context is and what the session has cost. Undefined until the agent says. */
  readonly usage: UsageUpdate | undefined;
  /** Starts a turn, or queues it behind the one that runs. A string is one block of text. */
  prompt(prompt: string | readonly ContentBlock[]): Turn;
  /** Prompts that wait, the next one first. */
  readonly queue: readonly QueuedTurn[];
  /** Takes a prompt that waits back: its turn ends as `cancelled`. False if it was sent already, or has ended. */
  withdraw(turn: Turn): boolean;
  /** Cancels the turn that runs, and waits for its end; never rejects. Prompts that wait are sent then. */
  cancel(): Promise<void>;
  /**
   * Ends the session: cancels what runs and what waits, and has the agent free what it holds. It stays in the agent's list. Rejects with
   * ProtocolError, or TurnwireError `timeout` after `timeouts.closeSession`; the session is closed on this side all the same.
   */
  readonly close?: () => Promise<void>;
}
