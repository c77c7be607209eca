import type { ContentBlock, Implementation } from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';
import type { Session } from '../session/session.ts';
import type { Turn } from '../session/turn.ts';
import type { TranscriptView } from '../transcript/transcript-view.ts';

/** Where a conversation stands. Every state says what can be done about it. */
export type ConversationState =
  /** The agent is being started, or started again. `waiting` is set while that may not go on before a time, in milliseconds since 1970. */
  | {
      readonly name: 'starting';
      readonly since: number;
      readonly waiting?: { readonly until: number; readonly reason: string };
    }
  | { readonly name: 'ready' }
  /** A turn runs. `silentSince` is set while the agent has said nothing for longer than the limit: cancel or restart. */
  | { readonly name: 'working'; readonly since: number; readonly silentSince?: number }
  /** A cancel was sent. `isOverdue`: the agent did not honour it in time: restart. */
  | { readonly name: 'cancelling'; readonly since: number; readonly isOverdue: boolean }
  /** The agent is gone: restart. */
  | { readonly name: 'dead'; readonly message: string }
  /** The agent wants a login first: `agent.authMethods`. */
  | { readonly name: 'login-needed'; readonly message: string }
  | { readonly name: 'closed' };

/**
 * One session with one agent, kept going: with its view, its queue of prompts, and its agent started again when it died, with the
 * session loaded where the agent can, and a visible boundary where it cannot.
 */
export interface Conversation extends AsyncDisposable {
  /** Resolves when the session is there. Rejects with why it is not; the conversation is then `dead` or `login-needed`. */
  readonly opened: Promise<void>;
  readonly state: ConversationState;
  readonly transcript: TranscriptView;
  /** Undefined while the agent is being started or is gone. */
  readonly agent: Agent | undefined;
  readonly session: Session | undefined;
  readonly agentInfo: Implementation | undefined;
  /** Prompts that wait for the running turn, oldest first. */
  readonly queue: readonly QueuedPrompt[];
  /** Hears of every change of state, transcript or queue; changes that come together are told together. Returns how to stop hearing. */
  onChange(listener: () => void): () => void;
  /** Starts a turn, or queues it. A string is one block of text. */
  prompt(prompt: string | readonly ContentBlock[]): Turn;
  /** Cancels the running turn; prompts that wait stay. Does nothing when none runs. */
  cancel(): Promise<void>;
  /** Takes a prompt that waits back. False if it was sent already. */
  withdraw(id: string): boolean;
  /** Sets the mode of the session, and again after a restart. Rejects with `not-advertised` if the agent has no modes. */
  setMode(modeId: string): Promise<void>;
  /** Sets an option of the session, and again after a restart. Rejects with `not-advertised` if the agent has none. */
  setConfigOption(id: string, value: string | boolean): Promise<void>;
  /** Logs in by one of the agent's methods and continues; starts the agent again where the method wants that. */
  authenticate(methodId: string): Promise<void>;
  /** Ends the whole process tree, starts the agent again and brings the session back: load, else resume, else a new one behind a boundary. */
  restart(): Promise<void>;
  /** Closes the session where the agent can, then the agent. */
  close(): Promise<void>;
}

/** A prompt that waits. */
export interface QueuedPrompt {
  readonly id: string;
  readonly content: readonly ContentBlock[];
}
