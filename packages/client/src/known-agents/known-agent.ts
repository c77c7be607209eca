/** Differences of an agent that a client has to handle. Every field was confirmed by a run of the agent. */
export interface AgentDifferences {
  /**
   * The answer to `fs/read_text_file` for a missing file. `empty`: the agent does not treat an error as "not found", and so could not
   * create files; it handles an empty text. Absent: an error, as for other agents.
   */
  readonly missingFile?: 'empty';
  /** How long the process may take to exit after its stdin was closed, in milliseconds, if that is longer than usual. */
  readonly exitTimeout?: number;
  /** Variables that prevent unwanted behaviour, such as leaving a process behind. The user's values take precedence. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How to make the agent ask for permission before it changes something. Absent: it asks by default. */
  readonly asking?: AskingMeans;
  /**
   * The agent names its stored sessions by the minute: `session/load` in the same minute in which the session was created or loaded fails,
   * and destroys the stored session. Wait for the next minute of the clock.
   */
  readonly loadsFromNextMinute?: true;
  /** The agent answers `session/load` before it replays the session. Messages and tool calls until the first prompt are replay. */
  readonly replaysLate?: true;
  /**
   * `session/fork` ends after the agent's message that `_meta.jetbrains.air.fork` names, which the agent announces to no other client.
   * Without it the fork has the whole session.
   */
  readonly forksAfterMessage?: true;
  /** A fork stays with the process that created it, even when it is closed: that process must end before another one can open the fork. */
  readonly keepsForks?: true;
  /**
   * Permission requests for commands have no input. For calls whose id has this prefix, the title is exactly the command, and its working
   * directory is unknown.
   */
  readonly commandInTitleOf?: string;
}

/** How to make an agent ask for permission before it changes something. */
export type AskingMeans =
  /** Set this mode (`session/set_mode`): the agent starts in one that does not ask. */
  | { readonly by: 'mode'; readonly modeId: string }
  /** Start the agent with these variables. */
  | { readonly by: 'environment'; readonly variables: Readonly<Record<string, string>> }
  /** Impossible: it never asks for permission. A client can only warn about it. */
  | { readonly by: 'nothing' };

/** Words of a command line: a program and its arguments. */
export type KnownCommand = readonly [program: string, ...words: string[]];

/** A well-known agent. */
export interface KnownAgent {
  /** Its name on a command line: `turnwire NAME`. */
  readonly name: string;
  /** Its common name. */
  readonly title: string;
  /** The command that starts it once it is installed and on the PATH. */
  readonly command: KnownCommand;
  /** The same on Windows, where it differs. */
  readonly windowsCommand?: KnownCommand;
  /** The npm package that contains the program of {@link KnownAgent.command}. */
  readonly package?: string;
  /** The version of the package that was tested with full turns. Absent: not tested. */
  readonly version?: string;
  /** Another program that must be on the PATH. */
  readonly needs?: string;
  /** Its names in `initialize` (`agentInfo.name`). */
  readonly infoNames?: readonly string[];
  /** Variables with keys and settings to pass on to it; `NAME*` stands for all with that prefix. */
  readonly inheritEnv?: readonly string[];
  readonly documentation?: string;
  readonly differences?: AgentDifferences;
}
