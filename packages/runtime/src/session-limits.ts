/** The limits of sessions. */
export interface SessionLimits {
  /** Milliseconds without a message of the agent after which a turn counts as silent. Default: a minute. */
  readonly silence: number;
  /** How long a question of an agent waits for an answer, in milliseconds. Then it is rejected. Default: an hour. */
  readonly question: number;
  /**
   * How long a question waits, in milliseconds, for a client that can show it while only others are attached. Then it is rejected. Default: 10
   * seconds.
   */
  readonly absence: number;
  /** How long a session keeps its agent while no client is attached and nothing happens, in milliseconds; `Infinity`: until it is closed. Default: 10 minutes. */
  readonly idle: number;
  /** The number of prompts that may wait for a running turn; one more is refused. Default 16. */
  readonly queue: number;
}

/** The default limits. */
export const defaultLimits: SessionLimits = {
  silence: 60_000,
  question: 3_600_000,
  absence: 10_000,
  idle: 600_000,
  queue: 16,
};
