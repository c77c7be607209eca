import type { HostElicitation, HostFiles, HostTerminals } from '@turnwire/client';
import type { Answer, Question } from '@turnwire/permissions';
import type { LoggedEvent } from '../log/session-event.ts';
import type { AgentState, EventAuthor, WaitingPrompt } from '@turnwire/protocol';

/** What changed in a session that its log does not say. */
export interface SessionChange {
  /** Another list of prompts waits. */
  readonly waiting?: readonly WaitingPrompt[];
  /** The agent does something else. */
  readonly state?: AgentState;
}

/** The terminals of a client, which run where its user is. */
export type TerminalRequests = Pick<HostTerminals, 'create' | 'output' | 'waitForExit' | 'kill' | 'release'>;

/** Methods of an agent's own, which the protocol does not know. */
export interface ExtensionCalls {
  /** Rejects with ProtocolError, or TurnwireError `connection-closed`. */
  request(method: string, params: unknown, signal: AbortSignal | undefined): Promise<unknown>;
  /** Never rejects. */
  notify(method: string, params: unknown): void;
}

/** Subscribes to a session: a surface of this process, or the gateway for a client elsewhere. What it cannot do is absent. */
export interface Subscriber {
  readonly author: EventAuthor;
  /** `control` prompts, answers and changes; `observe` only watches. */
  readonly role: 'control' | 'observe';
  /** Its user runs this process, and may change the rules of projects. */
  readonly isOwner: boolean;
  /** It understands every event, also those for which the protocol has no update. */
  readonly readsEvents: boolean;
  /**
   * Receives events, oldest first, each once; those up to `historyEnd` were there before the subscription. More follow when the promise has resolved; undefined: at once. If it rejects, the subscription
   * ends.
   */
  receive(events: readonly LoggedEvent[], historyEnd: number): Promise<unknown> | undefined;
  /** Receives what changed beside the log, after the events that led to it. A slow subscriber misses states in between. */
  readonly changed?: ((change: SessionChange) => Promise<unknown> | undefined) | undefined;
  /** Asks its user for a permission. Undefined as an answer is `cancelled`. Rejects with ProtocolError if it refuses, with anything else if it is gone. */
  readonly askPermission?: ((question: Question, signal: AbortSignal) => Promise<Answer>) | undefined;
  /** Asks its user a question of the agent. Rejects as {@link Subscriber.askPermission}. */
  readonly elicitation?: HostElicitation | undefined;
  /** Files as its user sees them, such as those an editor has not saved. Absent: those of this machine are used. */
  readonly files?: Pick<HostFiles, 'readTextFile' | 'writeTextFile'> | undefined;
  /** Absent: commands run on this machine. */
  readonly terminals?: TerminalRequests | undefined;
  readonly extensions?: ExtensionCalls | undefined;
  /** Called once when the subscription has ended, and nothing more is received. */
  readonly ended?: ((subscription: object) => void) | undefined;
}
