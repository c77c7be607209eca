import { TurnwireError } from '@turnwire/protocol';

/** A choice that the session does not offer: it was not sent, and why. */
export function refusedChoice(why: string): TurnwireError {
  return new TurnwireError('invalid-message', `Nothing was sent: ${why}`);
}

/** The one with this id. Throws TurnwireError `invalid-message` that lists those there are. */
export function chosen<T extends { readonly id: string }>(kind: 'mode' | 'option', id: string, all: readonly T[]): T {
  const found = all.find((each) => each.id === id);
  if (found) return found;
  throw refusedChoice(`the agent has no ${kind} "${id}"; it has: ${all.map((each) => each.id).join(', ')}`);
}
