/** A command to run. */
export interface CommandRequest {
  /**
   * A program, if there are arguments; if there are none, a line for the shell: Bash if installed, else `/bin/sh`. The client's terminals
   * receive the name of that shell.
   */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Absolute working directory. Default: that of the session. */
  readonly cwd?: string | undefined;
  /**
   * Variables to add to the environment; undefined removes a variable. In a client terminal it is set to an empty text instead, since the
   * protocol cannot remove variables.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds after which the command is ended. Default: no limit. */
  readonly timeout?: number | undefined;
  /** How many bytes of the end of its output are returned. Default 64 Ki. */
  readonly outputByteLimit?: number | undefined;
  /**
   * Receives the output in chunks; while a returned promise is pending, nothing more is read. Only for commands that run here: a client's
   * terminal provides only the end.
   */
  readonly onOutput?: ((text: string) => void | Promise<void>) | undefined;
}

/** How a command ended. */
export interface CommandOutcome {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of the output: of a command line both streams in order, of a program as they came. May contain escape sequences. */
  readonly output: string;
  /** True if the beginning of the output was dropped. */
  readonly truncated: boolean;
  /** True if the command was ended by its timeout. */
  readonly timedOut: boolean;
}

export const defaultOutputLimit: number = 64 * 1024;
