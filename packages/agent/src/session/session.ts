import type { AvailableCommand, ClientCapabilities, McpServer } from '@turnwire/protocol';

/** What a client asks for when it begins a session, or continues with one. */
export interface SessionSetup {
  /** The session's id, which never changes. */
  readonly id: string;
  /** Absolute working directory: relative paths start here, and tools stay inside. */
  readonly cwd: string;
  /** Further absolute folders tools may use; empty unless the definition allows them. */
  readonly additionalDirectories: readonly string[];
  /** MCP servers the client wants the agent to connect to. */
  readonly mcpServers: readonly McpServer[];
  /** What the client does for agents. */
  readonly clientCapabilities: ClientCapabilities;
  /** What was stored of the session. Absent: it is new. */
  readonly restored?: RestoredSession;
}

/** What an agent needs of a session's past to go on. The client is shown the past without its help. */
export interface RestoredSession {
  /** Everything given to {@link Session.keep}, oldest first. */
  readonly kept: readonly unknown[];
  /** True if the last turn did not end: the agent was killed in the middle of it. A client that loads the session is told. */
  readonly wasInterrupted: boolean;
}

/** One conversation with one client. What is set here is stored and told to the client; it may change at any time, in a turn or between turns. */
export interface Session<Memory = unknown> extends SessionSetup {
  /** What `openSession` returned. */
  readonly memory: Memory;
  /** What the session is called in lists. Undefined: nothing yet. */
  readonly title: string | undefined;
  /** The mode the session is in. Undefined without modes. */
  readonly modeId: string | undefined;
  /**
   * The value of a configuration option; undefined if there is none with this id. Clients that know no booleans leave those as defined.
   * Within `configOptions`, which makes the options, it tells what was set, and of what was not set nothing.
   */
  option(id: string): string | boolean | undefined;
  /** Names the session (protocol: Session List, `session_info_update`). Null takes the name away. */
  setTitle(title: string | null): Promise<void>;
  /**
   * Changes the mode by the agent's own choice. `modeChanged` is not called.
   * @throws TurnwireError `invalid-input` if the definition has no such mode
   */
  setMode(modeId: string): Promise<void>;
  /**
   * Changes a configuration option by the agent's own choice. `optionChanged` is not called.
   * @throws TurnwireError `invalid-input` if there is no such option or value
   */
  setOption(id: string, value: string | boolean): Promise<void>;
  /** Tells the client the options once more: what `configOptions` returns has changed, models have been found say. */
  refreshOptions(): Promise<void>;
  /** Offers these slash commands from now on, instead of those before. */
  offerCommands(commands: readonly AvailableCommand[]): Promise<void>;
  /**
   * Stores something of the agent's own, such as a message of the model's conversation: anything JSON can hold. It comes back as
   * {@link RestoredSession.kept}, in the order it was kept. Without a store nothing happens. Resolves when it is stored, or cannot be
   * any more, which the user is told.
   * @throws TurnwireError `invalid-input` if JSON cannot hold it
   */
  keep(value: unknown): Promise<void>;
}
