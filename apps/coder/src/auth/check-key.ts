import { Deadline } from '@turnwire/machine/waits';
import type { Environment } from '../config/environment.ts';
import { providerAddress } from './provider-address.ts';

/** The provider's verdict on a key. `unchecked`: it could not be reached, or gave no clear answer. */
export type KeyCheck = 'accepted' | 'rejected' | 'unchecked';

/** A key to check. */
export interface KeyToCheck {
  /** The provider's id. */
  readonly provider: string;
  readonly key: string;
  /** The environment that may set the addresses of providers. */
  readonly env: Environment;
  /** Aborts the check. */
  readonly signal?: AbortSignal | undefined;
}

/** A page per provider that costs nothing and needs a key. */
const pages: Readonly<Record<string, string>> = { openrouter: 'key' };

const keyHeaders: Readonly<Record<string, (key: string) => Readonly<Record<string, string>>>> = {
  anthropic: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  google: (key) => ({ 'x-goog-api-key': key }),
};

const timeout = 5_000;

/** Checks a key at its provider. Takes 5 seconds at most and never rejects: a failed check is `unchecked`. */
export async function checkKey({ provider, key, env, signal }: KeyToCheck): Promise<KeyCheck> {
  using deadline = new Deadline(timeout, signal);
  try {
    const address = await providerAddress(provider, env);
    if (address === undefined) return 'unchecked';
    const headers = keyHeaders[provider]?.(key) ?? { authorization: `Bearer ${key}` };
    // A redirect would send the key to another server.
    const init = { headers: { ...address.headers, ...headers }, redirect: 'manual', signal: deadline.signal } as const;
    return await meaningOf(await fetch(`${address.baseUrl}/${pages[provider] ?? 'models'}`, init));
  } catch {
    return 'unchecked';
  }
}

async function meaningOf(response: Response): Promise<KeyCheck> {
  if (response.ok || response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    return response.ok ? 'accepted' : 'rejected';
  }
  // Google answers a wrong key with "bad request".
  const isBadKey = response.status === 400 && (await response.text()).includes('API_KEY_INVALID');
  return isBadKey ? 'rejected' : 'unchecked';
}
