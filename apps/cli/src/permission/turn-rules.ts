import { TurnwireError } from '@turnwire/protocol';
import type { PermissionSettings } from './permission-settings.ts';

/** The rules of one turn, as a command sends them with its prompt: plain JSON. */
export interface TurnRules {
  readonly settings: PermissionSettings;
  /** Whether the command has a user to ask. */
  readonly canAsk: boolean;
  /** Whether the user also wants messages that do not matter to the turn. */
  readonly isVerbose?: true;
}

/** Reads the rules of a prompt. Throws `invalid-input` if they are not {@link TurnRules}. */
export function readTurnRules(given: unknown): TurnRules {
  const { settings, canAsk } = (given ?? {}) as Partial<TurnRules>;
  if (typeof settings?.base !== 'string' || typeof canAsk !== 'boolean')
    throw new TurnwireError(
      'invalid-input',
      'The rules of this prompt cannot be read: it was sent by another version of turnwire',
    );
  return given as TurnRules;
}
