import { createHash, randomBytes } from 'node:crypto';
import { Deadline } from '@turnwire/machine/waits';
import type { Environment } from '../config/environment.ts';
import type { KeyProvider } from '../keys/key-providers.ts';
import { providerAddress } from './provider-address.ts';

/** Milliseconds the provider may take to return the key. */
const timeout = 10_000;
/** The longest answer that is read, in characters. */
const longestAnswer = 64 * 1024;

/** A login at the provider that ends with a key for this agent, by the authorization code flow with PKCE. */
export interface KeyExchange {
  /** The provider's login page, which redirects to `callback` with a code. */
  addressFor(callback: string): string;
  /** Exchanges a code for a key. Rejects with the provider's reason. */
  keyFor(code: string): Promise<string>;
}

/** Undefined for a provider without such a login. */
export async function keyExchange(
  { id, name, hasExchange }: KeyProvider,
  env: Environment,
  signal: AbortSignal,
): Promise<KeyExchange | undefined> {
  const address = hasExchange ? await providerAddress(id, env) : undefined;
  if (address === undefined) return undefined;
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  return {
    addressFor: (callback) => {
      const page = new URL('/auth', address.baseUrl);
      page.search = new URLSearchParams({
        callback_url: callback,
        code_challenge,
        code_challenge_method: 'S256',
      }).toString();
      return page.href;
    },
    keyFor: async (code) => {
      using deadline = new Deadline(timeout, signal);
      const response = await fetch(`${address.baseUrl}/auth/keys`, {
        method: 'POST',
        headers: { ...address.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ code, code_verifier: verifier, code_challenge_method: 'S256' }),
        // A redirect would send the code to another server.
        redirect: 'manual',
        signal: deadline.signal,
      });
      const key = response.ok ? keyIn((await response.text()).slice(0, longestAnswer)) : undefined;
      if (key === undefined) throw new Error(`${name} gave no key (HTTP ${response.status}).`);
      return key;
    },
  };
}

function keyIn(answer: string): string | undefined {
  try {
    const { key } = JSON.parse(answer) as { readonly key?: unknown };
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}
