import { TurnwireError } from '@turnwire/protocol';

/** Limits of a session's turns. */
export interface TurnLimits {
  /** Prompts that may wait behind the running one; the next is answered -32600. Default 16. */
  readonly waiting: number;
  /**
   * After a cancel: how long the prompt handler may take to finish before the turn is answered without it, in milliseconds; also the
   * longest wait for the end of a turn to be stored. `Infinity`: no limit. Default 5,000.
   */
  readonly grace: number;
  /** How long a turn may take, in milliseconds; it is then stopped as by a cancel, and answered with an error. Default: no limit. */
  readonly longest: number;
}

/**
 * Fills in the defaults.
 * @throws TurnwireError `invalid-input` if a limit is negative or not a number
 */
export function turnLimits({ waiting = 16, grace = 5_000, longest = Infinity }: Partial<TurnLimits> = {}): TurnLimits {
  const limits = { waiting, grace, longest };
  const wrong = Object.entries(limits).find(([, limit]) => !(limit >= 0));
  if (wrong === undefined) return limits;
  throw new TurnwireError('invalid-input', `turns.${wrong[0]} is ${wrong[1]}: pass a number that is not negative`);
}
