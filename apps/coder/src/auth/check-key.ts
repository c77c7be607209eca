import type { Environment } from '../config/environment.ts';
import { readSettings } from '../config/settings.ts';
import { providerAccess } from '../model/providers/provider-access.ts';
import { providers } from '../model/providers/providers.ts';

/** What a provider makes of a key. `unchecked`: it could not be asked, or did not say. */
export type KeyCheck = 'accepted' | 'rejected' | 'unchecked';

/** A key to ask a provider about. */
export interface KeyToCheck {
  /** The provider's id. */
  readonly provider: string;
  readonly key: string;
  /** Where the addresses of providers may be set. */
  readonly env: Environment;
  /** Gives the question up. */
  readonly signal?: AbortSignal | undefined;
}

/** What is asked for: a page that costs nothing and that only who has a key may see. */
const pages: Readonly<Record<string, string>> = { openrouter: 'key' };

const keyHeaders: Readonly<Record<string, (key: string) => Readonly<Record<string, string>>>> = {
  anthropic: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  google: (key) => ({ 'x-goog-api-key': key }),
};

const patience = 5_000;

/** Asks a provider whether it takes a key. Takes 5 seconds at most and never rejects: what cannot be asked is `unchecked`. */
export async function checkKey({ provider, key, env, signal }: KeyToCheck): Promise<KeyCheck> {
  const limit = new AbortController();
  const end = (): void => limit.abort();
  const timer = setTimeout(end, patience);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const address = await addressOf(provider, env);
    if (address === undefined) return 'unchecked';
    const headers = keyHeaders[provider]?.(key) ?? { authorization: `Bearer ${key}` };
    // A redirect would take the key to somebody else.
    const init = { headers: { ...address.headers, ...headers }, redirect: 'manual', signal: limit.signal } as const;
    return await meaningOf(await fetch(`${address.baseUrl}/${pages[provider] ?? 'models'}`, init));
  } catch {
    return 'unchecked';
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

async function addressOf(
  id: string,
  env: Environment,
): Promise<{ readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> } | undefined> {
  const provider = providers.find((each) => each.id === id);
  const settings = await readSettings({ cwd: process.cwd(), env, options: {} });
  return provider && providerAccess(provider, { env, stored: { keys: {} }, providers: settings.providers });
}

async function meaningOf(response: Response): Promise<KeyCheck> {
  if (response.ok || response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    return response.ok ? 'accepted' : 'rejected';
  }
  // Google says of a wrong key that the request is a bad one.
  const isBadKey = response.status === 400 && (await response.text()).includes('API_KEY_INVALID');
  return isBadKey ? 'rejected' : 'unchecked';
}
