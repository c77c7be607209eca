/** How long to wait for an agent, in milliseconds. A call that takes longer rejects with `timeout`; a late answer is ignored. */
export interface Timeouts {
  /** For the answer to `initialize`. Default 30,000. */
  readonly initialize: number;
  /** For the answer to `authenticate`: the agent may wait for a user at a browser. Default 600,000. */
  readonly authenticate: number;
  /** For the answer to `logout`. Default 30,000. */
  readonly logout: number;
  /** For the answer to `session/new`, which may start MCP servers. Default 120,000. */
  readonly newSession: number;
  /** For the answer to `session/load`, which comes after the whole history. Default 300,000. */
  readonly loadSession: number;
  /** For the answer to `session/resume`. Default 120,000. */
  readonly resumeSession: number;
  /** For a page of the session list. Default 30,000. */
  readonly listSessions: number;
  /** For the answer to `session/delete`. Default 30,000. */
  readonly deleteSession: number;
  /** For the answer to `session/close`. Default 10,000. */
  readonly closeSession: number;
  /** For a mode or a configuration option to be set. Default 30,000. */
  readonly set: number;
  /** For a cancelled turn to end. Default 10,000. */
  readonly cancel: number;
  /** For a sign of life in a turn, before `onSilence` of the session is called. Default Infinity. */
  readonly silence: number;
  /** For the process to exit after its stdin was closed, before it is signalled. Default 2,000. */
  readonly exit: number;
}

export const defaultTimeouts: Timeouts = {
  initialize: 30_000,
  authenticate: 600_000,
  logout: 30_000,
  newSession: 120_000,
  loadSession: 300_000,
  resumeSession: 120_000,
  listSessions: 30_000,
  deleteSession: 30_000,
  closeSession: 10_000,
  set: 30_000,
  cancel: 10_000,
  silence: Infinity,
  exit: 2_000,
};
