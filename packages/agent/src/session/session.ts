import type { AvailableCommand, ClientCapabilities, McpServer } from '@turnwire/protocol';

/** The client's request when it starts or continues a session. */
export interface SessionSetup {
  /** The session's id, which never changes. */
  readonly id: string;
  /** Absolute working directory: relative paths start here, and tools stay inside. */
  readonly cwd: string;
  /** Further absolute folders tools may use; empty unless the definition allows them. */
  readonly additionalDirectories: readonly string[];
  /** MCP servers the client wants the agent to connect to. */
  readonly mcpServers: readonly McpServer[];
  /** The client's capabilities. */
  readonly clientCapabilities: ClientCapabilities;
  /** The stored state of the session. Absent: it is new. */
  readonly restored?: RestoredSession;
}

/** The stored state that an agent needs to continue a session. The history is replayed to the client automatically. */
export interface RestoredSession {
  /** Everything given to {@link Session.keep}, oldest first. */
  readonly kept: readonly unknown[];
  /** True if the agent was killed during the last turn. A client that loads the session sees a message about it. */
  readonly wasInterrupted: boolean;
}

/**
 * One conversation with one client. Changes made here are stored and sent to the client; they may be made at any time, in a turn or between
 * turns.
 */
export interface Session<Memory = unknown> extends SessionSetup {
  /** The value that `openSession` returned. */
  readonly memory: Memory;
  /** The title of the session in lists. Undefined: none so far. */
  readonly title: string | undefined;
  /** The current mode. Undefined without modes. */
  readonly modeId: string | undefined;
  /**
   * The value of a configuration option; undefined for an unknown id. With clients that do not support booleans, these keep their initial
   * value. Within `configOptions`, which builds the options, it returns only values that were set explicitly.
   */
  option(id: string): string | boolean | undefined;
  /** Sets the title (protocol: Session List, `session_info_update`). Null removes it. */
  setTitle(title: string | null): Promise<void>;
  /**
   * Changes the mode on the agent's initiative. `modeChanged` is not called.
   * @throws TurnwireError `invalid-input` if the definition lacks the mode
   */
  setMode(modeId: string): Promise<void>;
  /**
   * Changes a configuration option on the agent's initiative. `optionChanged` is not called.
   * @throws TurnwireError `invalid-input` for an unknown option or value
   */
  setOption(id: string, value: string | boolean): Promise<void>;
  /** Sends the options to the client again, after the result of `configOptions` changed, for example because models were found. */
  refreshOptions(): Promise<void>;
  /** Replaces the slash commands that are offered. */
  offerCommands(commands: readonly AvailableCommand[]): Promise<void>;
  /**
   * Stores data of the agent's own, such as a message of the model's conversation: any JSON. A continued session gets it in {@link
   * RestoredSession.kept}, in order. Without a store nothing happens. Resolves when it is stored, or when storing has stopped, of which the
   * user gets a notice.
   * @throws TurnwireError `invalid-input` if it is not JSON
   */
  keep(value: unknown): Promise<void>;
}
