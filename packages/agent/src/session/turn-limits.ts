/** How much a session puts up with. */
export interface TurnLimits {
  /** Prompts that may wait behind the running one; one more is answered -32600. Default 16. */
  readonly waiting: number;
  /** After a cancel: how long the prompt handler may take to wind up before the turn is answered without it, in milliseconds. Default 5,000. */
  readonly grace: number;
  /** How long a turn may take, in milliseconds; then it is stopped as by a cancel, and answered with an error. Default: no limit. */
  readonly longest: number;
}

export const defaultTurnLimits: TurnLimits = { waiting: 16, grace: 5_000, longest: Infinity };
