import { TurnwireError } from '@turnwire/protocol';
import type { PermissionSettings } from './permission-settings.ts';

/** How the permissions of one turn are decided, as a command sends it with its prompt: plain JSON. */
export interface TurnRules {
  readonly settings: PermissionSettings;
  /** Whether the command has a user to ask. */
  readonly canAsk: boolean;
  /** True if the user wants messages that do not matter to the turn as well. */
  readonly isVerbose?: true;
}

/** Reads what came with a prompt. Throws `invalid-input` if it is not {@link TurnRules}. */
export function readTurnRules(given: unknown): TurnRules {
  const { settings, canAsk } = (given ?? {}) as Partial<TurnRules>;
  if (typeof settings?.base !== 'string' || typeof canAsk !== 'boolean')
    throw new TurnwireError(
      'invalid-input',
      'The rules of this prompt cannot be read: it was sent by another version of turnwire',
    );
  return given as TurnRules;
}
