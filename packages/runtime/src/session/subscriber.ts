import type { HostElicitation, HostFiles, HostTerminals } from '@turnwire/client';
import type { Answer, Question } from '@turnwire/permissions';
import type { LoggedEvent } from '../log/session-event.ts';
import type { AgentState, EventAuthor, WaitingPrompt } from '@turnwire/protocol';

/** The part of a session that subscribers see besides its events. */
export interface ShownSession {
  /** The waiting prompts: another list after every change. */
  waiting: readonly WaitingPrompt[];
  /** The state of the agent: another object after every change. */
  state: AgentState;
}

/** A change of {@link ShownSession}. */
export type SessionChange = Readonly<Partial<ShownSession>>;

/** The terminals of a client, which run on the machine of its user. */
export type TerminalRequests = Pick<HostTerminals, 'create' | 'output' | 'waitForExit' | 'kill' | 'release'>;

/** An agent's own methods, which are not part of the protocol. */
export interface ExtensionCalls {
  /** Rejects with ProtocolError, or TurnwireError `connection-closed`. */
  request(method: string, params: unknown, signal: AbortSignal | undefined): Promise<unknown>;
  /** Never rejects. */
  notify(method: string, params: unknown): void;
}

/** A subscriber of a session: a surface of this process, or the gateway for a client elsewhere. Methods that it does not offer are absent. */
export interface Subscriber {
  readonly author: EventAuthor;
  /** `control` prompts, answers and changes; `observe` only watches. */
  readonly role: 'control' | 'observe';
  /** Whether its user runs this process, and may change the rules of projects. */
  readonly isOwner: boolean;
  /** Whether it understands every event, including those without an update of the protocol. */
  readonly readsEvents: boolean;
  /**
   * Receives events, oldest first, each once. Those up to `historyEnd` are older than the subscription. A returned promise delays the next
   * ones; if it rejects, the subscription ends.
   */
  receive(events: readonly LoggedEvent[], historyEnd: number): Promise<unknown> | undefined;
  /** Receives changes besides events, after the events that led to them. A slow subscriber misses intermediate states. */
  readonly changed?: ((change: SessionChange) => Promise<unknown> | undefined) | undefined;
  /** Asks the user for a permission. The answer undefined means `cancelled`. Rejects with ProtocolError if it refuses, with another error if it is gone. */
  readonly askPermission?: ((question: Question, signal: AbortSignal) => Promise<Answer>) | undefined;
  /** Asks the user a question of the agent. Rejects as {@link Subscriber.askPermission} does. */
  readonly elicitation?: HostElicitation | undefined;
  /** Whether a turn that reaches a limit of its budgets asks the user by a form. Default: false. */
  readonly decidesLimits?: boolean | undefined;
  /** Files as the user sees them, such as unsaved ones in an editor. Default: the files of this machine. */
  readonly files?: Pick<HostFiles, 'readTextFile' | 'writeTextFile'> | undefined;
  /** Default: commands run on this machine. */
  readonly terminals?: TerminalRequests | undefined;
  readonly extensions?: ExtensionCalls | undefined;
  /** Called once, at the end of the subscription: the subscriber receives nothing more. */
  readonly ended?: ((subscription: object) => void) | undefined;
}
