/** What the exit code of a command says: the codes script authors know from acpx. Documented in the README's table. */
export const exitCodes = {
  /** The turn ended, for whatever reason the agent gave. */
  ok: 0,
  /** The agent could not be started, answered with an error, or died; or the output could not be written. */
  error: 1,
  /** The command line is wrong; nothing was started. */
  usage: 2,
  /** `--timeout` expired. */
  timeout: 3,
  /** The agent asked for permission and was granted none. */
  denied: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** The exit code of a process ended by a signal, as shells count. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
