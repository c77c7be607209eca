import type { Environment } from '../config/environment.ts';
import { firstSet } from '../config/environment.ts';
import { keyFile } from './key-file.ts';
import { keyProviders } from './key-providers.ts';
import { dropHeldKeys, removeKeys } from './key-store.ts';

/** What logging out came to. */
export interface LoggedOut {
  /** The providers whose key was forgotten, by name. */
  readonly providers: readonly string[];
  /** The variables that hold keys still. They are not for this program to unset. */
  readonly variables: readonly string[];
}

/**
 * Forgets the key of one provider, or all keys.
 * @throws TurnwireError `invalid-input` when the file of keys cannot be understood or written
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
