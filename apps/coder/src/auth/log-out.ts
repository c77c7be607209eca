import type { Environment } from '../config/environment.ts';
import { firstSet } from '../config/environment.ts';
import { keyFile } from '../keys/key-file.ts';
import { keyProviders } from '../keys/key-providers.ts';
import { dropHeldKeys, removeKeys } from '../keys/key-store.ts';

/** The result of logging out. */
export interface LoggedOut {
  /** The names of the providers whose key was deleted. */
  readonly providers: readonly string[];
  /** The variables that still hold keys. This program does not unset them. */
  readonly variables: readonly string[];
}

/**
 * Deletes the key of one provider, or all keys.
 * @throws TurnwireError `invalid-input` if the key file cannot be read or written
 */
export async function logOut(env: Environment, provider?: string): Promise<LoggedOut> {
  const held = dropHeldKeys(provider);
  const stored = await removeKeys(provider, keyFile(env));
  return {
    providers: [...new Set([...held, ...stored])].toSorted(),
    variables: keyProviders
      .filter(({ id }) => provider === undefined || id === provider)
      .flatMap(({ variables }) => firstSet(env, variables)?.name ?? []),
  };
}
