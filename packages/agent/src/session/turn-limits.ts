import { TurnwireError } from '@turnwire/protocol';

/** How much a session puts up with. */
export interface TurnLimits {
  /** Prompts that may wait behind the running one; one more is answered -32600. Default 16. */
  readonly waiting: number;
  /**
   * After a cancel: how long the prompt handler may take to wind up before the turn is answered without it, in milliseconds; so
   * long may storing the end of a turn take too. `Infinity`: as long as it takes. Default 5,000.
   */
  readonly grace: number;
  /** How long a turn may take, in milliseconds; then it is stopped as by a cancel, and answered with an error. Default: no limit. */
  readonly longest: number;
}

/** The limits asked for, and the default of each that was not. @throws TurnwireError `invalid-input` if one is no limit */
export function turnLimits({ waiting = 16, grace = 5_000, longest = Infinity }: Partial<TurnLimits> = {}): TurnLimits {
  const limits = { waiting, grace, longest };
  const wrong = Object.entries(limits).find(([, limit]) => !(limit >= 0));
  if (wrong === undefined) return limits;
  throw new TurnwireError('invalid-input', `turns.${wrong[0]} is ${wrong[1]}: give a number that is not negative`);
}
