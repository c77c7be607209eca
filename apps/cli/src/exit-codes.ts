/** The exit codes of commands: 0 to 5 and 130 are those that script authors know from acpx. `docs/guide/scripts.md` has the table. */
export const exitCodes = {
  /** The agent finished the turn; the command succeeded. */
  ok: 0,
  /** The agent could not be started, answered with an error, or died; or an input or output failed, such as reading one of its messages. */
  error: 1,
  /** The command line or the configuration is wrong; nothing was started. */
  usage: 2,
  /** `--timeout` expired. */
  timeout: 3,
  /** There is no such session. */
  noSession: 4,
  /** The agent asked for permission and got none, or there was no user to ask and `--non-interactive-permissions fail` was given. */
  denied: 5,
  /** The turn reached `--max-cost` or a limit of the budgets. */
  overBudget: 6,
  /** There is no language model, and the offline model did not understand the prompt. */
  noModel: 8,
  /** The agent refused to continue. */
  refused: 9,
  /** The answer reached the limit of tokens. */
  tooLong: 10,
  /** The agent reached its limit of model calls in one turn. */
  tooManyCalls: 11,
  /** `serve` on a database lost its lease: another node may have its sessions. Start it again. */
  leaseLost: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** The exit code of a process ended by a signal, as shells count. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;
