/** What an agent does differently from others, and a client has to make good. Every field is proven by a run of the agent. */
export interface AgentDifferences {
  /**
   * What to answer `fs/read_text_file` with when there is no such file. `empty`: the agent takes no error for "not found", and so
   * could create no files; an empty text it understands. Absent: an error, as for everybody else.
   */
  readonly missingFile?: 'empty';
  /** How long the process may take to leave after its stdin was closed, in milliseconds, if that is longer than usual. */
  readonly exitTimeout?: number;
  /** Variables that keep the agent from doing what no client wants, such as leaving a process behind. What the user sets wins. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How to make the agent ask before it changes something. Absent: it asks by itself. */
  readonly asking?: AskingMeans;
  /**
   * The agent names its stored sessions by the minute: `session/load` in the minute in which the session was made or loaded fails, and
   * destroys what was stored. Wait for the next minute, by the wall clock.
   */
  readonly loadsFromNextMinute?: true;
  /**
   * The agent answers `session/load` before it replays the session. What it tells of messages and tool calls until the first prompt
   * is the past.
   */
  readonly replaysLate?: true;
  /**
   * Permission requests for commands come without input: of calls whose id begins with this, the title is the command, whole and
   * nothing else. Which folder it runs in is not said.
   */
  readonly commandInTitleOf?: string;
}

/** How to make an agent ask before it changes something. */
export type AskingMeans =
  /** Set this mode (`session/set_mode`): the agent starts in one that decides for itself. */
  | { readonly by: 'mode'; readonly modeId: string }
  /** Start the agent with these variables. */
  | { readonly by: 'environment'; readonly variables: Readonly<Record<string, string>> }
  /** It cannot be made to: it does everything unasked. A client can only say so. */
  | { readonly by: 'nothing' };

/** Words of a command line: a program and its arguments. */
export type KnownCommand = readonly [program: string, ...words: string[]];

/** A well-known agent. */
export interface KnownAgent {
  /** What it is called on a command line: `turnwire NAME`. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** How it is started once it is installed and on the PATH. */
  readonly command: KnownCommand;
  /** The same on Windows, where it differs. */
  readonly windowsCommand?: KnownCommand;
  /** The npm package that brings the program of {@link KnownAgent.command}. */
  readonly package?: string;
  /** The version of the package that was driven through full turns. Absent: nobody has tried it here. */
  readonly version?: string;
  /** A program that has to be on the PATH besides. */
  readonly needs?: string;
  /** What it calls itself in `initialize` (`agentInfo.name`). */
  readonly infoNames?: readonly string[];
  /** Variables with keys and settings to hand on to it; `NAME*` stands for all that begin so. */
  readonly inheritEnv?: readonly string[];
  readonly documentation?: string;
  readonly differences?: AgentDifferences;
}
