import type { Environment } from '../config/environment.ts';
import { firstSet } from '../config/environment.ts';
import { checkKey } from './check-key.ts';
import { keyFile } from '../keys/key-file.ts';
import type { KeyProvider } from '../keys/key-providers.ts';
import { isKey, saveKey } from '../keys/key-store.ts';

/** The key a user gave for a provider. */
export interface EnteredKey {
  readonly provider: KeyProvider;
  readonly key: string;
  readonly env: Environment;
  readonly signal?: AbortSignal | undefined;
}

/** The result for the user, in sentences. */
export type KeyOutcome = { readonly kept: string } | { readonly refused: string };

/**
 * Checks a key at its provider and stores it unless it is rejected.
 * @throws TurnwireError `invalid-input` if the key file cannot be read or written
 */
export async function keepKey({ provider, key, env, signal }: EnteredKey): Promise<KeyOutcome> {
  const bare = key.trim();
  if (!isKey(bare)) return { refused: 'That is not a key: a key is one word without spaces.' };
  const check = await checkKey({ provider: provider.id, key: bare, env, signal });
  signal?.throwIfAborted();
  if (check === 'rejected') return { refused: `${provider.name} rejects this key. Nothing was stored.` };
  const file = await saveKey(provider.id, bare, keyFile(env));
  const found =
    check === 'accepted'
      ? `${provider.name} accepts the key.`
      : `The key could not be checked: ${provider.name} could not be reached, or gave no clear answer.`;
  return { kept: `${found} It is stored in ${file}.${variableNote(provider, env)}` };
}

/** Variables take precedence, which surprises users who have forgotten them. */
function variableNote({ variables }: KeyProvider, env: Environment): string {
  const set = firstSet(env, variables);
  return set ? ` But ${set.name} is set, and takes precedence.` : '';
}
