import { keyFile } from '../../keys/key-file.ts';
import type { Keys } from '../../keys/key-file.ts';
import { heldKeys, readKeys } from '../../keys/key-store.ts';
import { firstSet } from '../../config/environment.ts';
import type { Environment } from '../../config/environment.ts';
import type { ProviderSettings } from '../../config/setting-groups.ts';
import type { Provider, ProviderAccess } from './provider.ts';

/** The sources of keys and addresses. */
export interface AccessSources {
  readonly env: Environment;
  readonly stored: StoredKeys;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}

/** The keys stored at login. */
export interface StoredKeys {
  readonly keys: Keys;
  /** Why they cannot be read. A broken file must not keep a session from starting; it is reported if a key of it is needed. */
  readonly warning?: string;
}

/** Reads the keys stored at login. */
export async function storedKeys(env: Environment): Promise<StoredKeys> {
  try {
    return { keys: await readKeys(keyFile(env)) };
  } catch (error) {
    return { keys: heldKeys(), warning: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The access to a provider: from the environment, then the stored keys, then the settings file. Undefined if its address is missing or
 * invalid. The key may be missing.
 */
export function providerAccess(
  provider: Provider,
  { env, stored, providers }: AccessSources,
): ProviderAccess | undefined {
  const settings = providers[provider.id] ?? {};
  const address = firstSet(env, provider.baseUrlVariables)?.value ?? settings.baseUrl;
  const url = address === undefined ? urlOf(provider.baseUrl) : completeUrl(address, provider);
  if (url === undefined) return undefined;
  const login = loginIn(url);
  // The key of one server must not go to another: OpenAI's is for OpenAI's address only.
  const hasOwnAddress = firstSet(env, provider.baseUrlVariables)?.name === 'OPENAI_COMPATIBLE_BASE_URL';
  const names = provider.keyVariables.filter((name) => !hasOwnAddress || name !== 'OPENAI_API_KEY');
  const key = firstSet(env, names);
  return {
    provider,
    baseUrl: url.href.replace(/\/$/, ''),
    apiKey:
      key?.value ?? (Object.hasOwn(stored.keys, provider.id) ? stored.keys[provider.id] : undefined) ?? settings.apiKey,
    keyVariable: key?.name,
    headers: { ...login, ...settings.headers },
    isElsewhere: address !== undefined,
  };
}

/** Whether the provider can be used: with its key, or without one. */
export function isReady({ provider, apiKey, isElsewhere, headers }: ProviderAccess): boolean {
  return apiKey !== undefined || !provider.needsKey || isElsewhere || Object.keys(headers).length > 0;
}

/** Completes an address with protocol, default port and version. */
function completeUrl(address: string, { id, version, baseUrl }: Provider): URL | undefined {
  const isBare = !/^https?:\/\//i.test(address);
  const url = urlOf(isBare ? `http://${address.startsWith(':') ? '127.0.0.1' : ''}${address}` : address);
  if (url === undefined) return undefined;
  if (isBare && url.port === '') url.port = urlOf(baseUrl)?.port ?? '';
  // Servers listen on these addresses, but clients cannot connect to them.
  if (id === 'ollama' && /^(0\.0\.0\.0|\[::\])$/.test(url.hostname)) url.hostname = '127.0.0.1';
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = /\/v\d/.test(path) ? path : `${path}${version}`;
  return url;
}

function urlOf(text: string | undefined): URL | undefined {
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}

/** Moves the user name and password of an address, with which it cannot be fetched, into a header. */
function loginIn(url: URL): Readonly<Record<string, string>> {
  if (url.username === '' && url.password === '') return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
