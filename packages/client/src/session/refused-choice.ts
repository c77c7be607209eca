import { TurnwireError } from '@turnwire/protocol';

/** The error for a choice that the session does not offer, and that was therefore not sent. */
export function refusedChoice(why: string): TurnwireError {
  return new TurnwireError('invalid-message', `Nothing was sent: ${why}`);
}

/** The entry with this id. Throws TurnwireError `invalid-message` that lists the existing ones. */
export function chosen<T extends { readonly id: string }>(kind: 'mode' | 'option', id: string, all: readonly T[]): T {
  const found = all.find((each) => each.id === id);
  if (found) return found;
  throw refusedChoice(`the agent has no ${kind} "${id}"; it has: ${all.map((each) => each.id).join(', ')}`);
}
