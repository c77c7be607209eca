import type {
  ClientCapabilities,
  ContentBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  Implementation,
  Peer,
  PromptResponse,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  SessionUpdate,
} from '@turnwire/protocol';
import type { StateUpdate } from '@turnwire/protocol/translation';

/** Cancels a question. */
interface Asking {
  readonly signal: AbortSignal;
}

/** Asks the user of a client. */
export interface QuestionWire {
  readonly capabilities: ClientCapabilities;
  elicit(request: CreateElicitationRequest, asking: Asking): Promise<CreateElicitationResponse>;
  /** Notifies the client that a page has done its work. */
  elicited(elicitationId: string): Promise<void>;
}

/**
 * The connection to a client, in the terms of version 1. There is one implementation for each version of the protocol, which is chosen when
 * the connection has agreed on a version; the rest of the package does not know the version.
 */
export interface ClientWire extends QuestionWire {
  readonly info: Implementation | undefined;
  /** The connection itself, for the messages of an author. */
  readonly peer: Peer<'agent'>;
  /** The answer that sets up a session contains its commands. Otherwise an update follows the answer. */
  readonly answersCommands: boolean;
  /** @param changed receives each new state of the session */
  session(sessionId: string, changed?: (state: StateUpdate) => void): SessionWire;
}

/** The history of a session that another one started. */
interface ChildHistory {
  readonly sessionId: string;
  readonly updates: readonly SessionUpdate[];
}

/** The history of a session and of its child sessions. */
export interface Replayed {
  readonly updates: readonly SessionUpdate[];
  readonly children: readonly ChildHistory[];
}

/** One open session of a client. */
export interface SessionWire extends QuestionWire {
  /** Resolves when the connection accepts more. */
  update(update: SessionUpdate): Promise<void>;
  /** Sends the history of the session, unless the signal aborts. */
  replay(history: Replayed, signal: AbortSignal): Promise<void>;
  /** The session continues, and no turn is running. */
  resumed(): void;
  /** A prompt became a message of the conversation. */
  inserted(messageId: string, prompt: readonly ContentBlock[]): void;
  /** @param cancelled aborts when the turn is cancelled */
  turnBegins(cancelled: AbortSignal): void;
  turnEnds(answer: PromptResponse): void;
  turnFails(error: unknown): void;
  askPermission(request: RequestPermissionRequest, asking: Asking): Promise<RequestPermissionOutcome>;
  /** A command starts for a tool call. Undefined: the client cannot end it. */
  commandStarts(toolCallId: string): CancellableCommand | undefined;
  /**
   * Ends the command of a tool call.
   * @throws ProtocolError -32602 if none is running
   */
  cancelToolCall(toolCallId: string): void;
  /**
   * Ends the command of a terminal.
   * @throws ProtocolError -32602 if none is running
   */
  cancelTerminal(terminalId: string): void;
  /** A child session works beyond the turn. Returns a function to call when it has ended. */
  childContinues(sessionId: string): () => void;
  /** Sends nothing more: the session is closed. */
  close(): void;
}

/** A command that the client may end. */
export interface CancellableCommand {
  /** Aborts when the client ends it. */
  readonly stopped: AbortSignal;
  /** It has ended. */
  ended(): void;
}
