import type { ContentBlock, Implementation } from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';
import type { Session } from '../session/session.ts';
import type { Turn } from '../session/turn.ts';
import type { TranscriptView } from '../transcript/transcript-view.ts';

/** The state of a conversation. Each state has its own ways to continue. */
export type ConversationState =
  /** The agent is being started or restarted. `waiting` is set while that must not continue before a time, in milliseconds since 1970. */
  | {
      readonly name: 'starting';
      readonly since: number;
      readonly waiting?: { readonly until: number; readonly reason: string };
    }
  | { readonly name: 'ready' }
  /** A turn runs. `silentSince` is set while the agent has sent nothing for longer than the limit: cancel or restart. */
  | { readonly name: 'working'; readonly since: number; readonly silentSince?: number }
  /** A cancel was sent. `isOverdue`: the agent did not obey in time: restart. */
  | { readonly name: 'cancelling'; readonly since: number; readonly isOverdue: boolean }
  /** The connection to the agent broke, and is made again at that time, in milliseconds since 1970: a prompt or `restart` does it at once. */
  | { readonly name: 'reconnecting'; readonly attempt: number; readonly until: number; readonly message: string }
  /** The agent has ended, or cannot be reached any more: restart. */
  | { readonly name: 'dead'; readonly message: string }
  /** The agent requires a login: see `agent.authMethods`. */
  | { readonly name: 'login-needed'; readonly message: string }
  | { readonly name: 'closed' };

/**
 * One session with one agent that survives failures: it has a view and a queue of prompts, and its agent is restarted when it dies; the
 * session is then loaded where the agent can, or replaced behind a visible boundary.
 */
export interface Conversation extends AsyncDisposable {
  /** Resolves when the session is open. Rejects with the reason otherwise; the conversation is then `dead` or `login-needed`. */
  readonly opened: Promise<void>;
  readonly state: ConversationState;
  readonly transcript: TranscriptView;
  /** Undefined while the agent is being started or has ended. */
  readonly agent: Agent | undefined;
  readonly session: Session | undefined;
  readonly agentInfo: Implementation | undefined;
  /** Prompts that wait for the running turn, oldest first. */
  readonly queue: readonly QueuedPrompt[];
  /**
   * Notifies of every change of state, transcript or queue; concurrent changes are combined. Returns a function that removes the listener.
   */
  onChange(listener: () => void): () => void;
  /**
   * Starts a turn, or queues it. A string is one block of text. `id` names it in the queue and its turn in events; it must not be in use.
   * Default: a number.
   */
  prompt(prompt: string | readonly ContentBlock[], options?: { readonly id?: string | undefined }): Turn;
  /** Cancels the running turn, if any; waiting prompts stay. */
  cancel(): Promise<void>;
  /** Removes a waiting prompt. False if it was sent already. */
  withdraw(id: string): boolean;
  /** Makes a waiting prompt the next one. False if it was sent already. */
  advance(id: string): boolean;
  /**
   * Sends a waiting prompt into the running turn, which then answers it too; meanwhile it is the first that waits. Resolves with whether the
   * agent took it: if not, it waits on. False at once if no turn runs, it was sent already, or the agent has no `_session/steering`.
   */
  steer(id: string): Promise<boolean>;
  /** Sets the mode of the session, and again after a restart. Rejects with `not-advertised` if the agent has no modes. */
  setMode(modeId: string): Promise<void>;
  /** Sets an option of the session, and again after a restart. Rejects with `not-advertised` if the agent has none. */
  setConfigOption(id: string, value: string | boolean): Promise<void>;
  /** Logs in with one of the agent's methods and continues; restarts the agent where the method requires that. */
  authenticate(methodId: string): Promise<void>;
  /** Ends the process tree, restarts the agent and restores the session: load, else resume, else a new one behind a boundary. */
  restart(): Promise<void>;
  /** Closes the session where the agent supports it, then the agent. */
  close(): Promise<void>;
}

/** A waiting prompt. */
export interface QueuedPrompt {
  readonly id: string;
  readonly content: readonly ContentBlock[];
}
