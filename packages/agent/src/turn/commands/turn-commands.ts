/** A command to run. */
export interface CommandRequest {
  /**
   * A program, if there are arguments; if there are none, a line for the shell: Bash where there is one, else `/bin/sh`. The
   * client's terminals are told which.
   */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Absolute folder to run in. Default: the session's working directory. */
  readonly cwd?: string | undefined;
  /**
   * Variables to set on top of those there are; undefined takes one away. A terminal of the client gets an empty one then, for the
   * protocol knows no other way.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds after which it is stopped. Default: none. */
  readonly timeout?: number | undefined;
  /** How much of the end of its output is kept, in bytes. Default 64 Ki. */
  readonly outputByteLimit?: number | undefined;
  /**
   * Told all it prints, piece by piece; while a promise returned is pending, nothing more is read. Only of a command that runs here:
   * the terminals of a client tell no more than the end.
   */
  readonly onOutput?: ((text: string) => void | Promise<void>) | undefined;
}

/** How a command ended. */
export interface CommandOutcome {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it printed: both streams in order of a line for the shell, of a program as they came. May hold escape sequences. */
  readonly output: string;
  /** True if the beginning of the output was dropped. */
  readonly truncated: boolean;
  /** True if it was stopped because its time was up. */
  readonly timedOut: boolean;
}

export const defaultOutputLimit: number = 64 * 1024;
