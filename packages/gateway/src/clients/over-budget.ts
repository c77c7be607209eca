/**
 * The stop reason of a turn that a budget ended, for clients that know only the protocol: they have not cancelled it, and the protocol has a limit of
 * the requests in a turn.
 */
export function overBudget<Reason extends string>(stopReason: Reason): Reason | 'max_turn_requests' {
  return stopReason === 'cancelled' ? 'max_turn_requests' : stopReason;
}
