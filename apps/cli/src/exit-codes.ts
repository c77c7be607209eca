/** What the exit code of a command says: the codes script authors know from acpx, and one more. Documented in the README's table. */
export const exitCodes = {
  /** The turn ended, for whatever reason the agent gave. */
  ok: 0,
  /** The agent could not be started, answered with an error, or died; or something could not be read or written, such as one of its messages. */
  error: 1,
  /** The command line or the configuration is wrong; nothing was started. */
  usage: 2,
  /** `--timeout` expired. */
  timeout: 3,
  /** There is no such session. */
  noSession: 4,
  /** The agent asked for permission and was granted none, or nobody could be asked and `--non-interactive-permissions fail` was given. */
  denied: 5,
  /** `--max-cost` was passed; acpx has no such option and no such code. */
  tooExpensive: 6,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** The exit code of a process ended by a signal, as shells count. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
