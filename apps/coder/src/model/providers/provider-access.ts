import { keyFile } from '../../auth/key-file.ts';
import type { Keys } from '../../auth/key-file.ts';
import { heldKeys, readKeys } from '../../auth/key-store.ts';
import { firstSet } from '../../config/environment.ts';
import type { Environment } from '../../config/environment.ts';
import type { ProviderSettings } from '../../config/setting-groups.ts';
import type { Provider, ProviderAccess } from './provider.ts';

/** Where keys and addresses are looked up. */
export interface AccessSources {
  readonly env: Environment;
  readonly stored: StoredKeys;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}

/** What was stored at login. */
export interface StoredKeys {
  readonly keys: Keys;
  /** Why they cannot be read. A file that is broken must not keep a session from beginning; who needs a key of it is told. */
  readonly warning?: string;
}

/** Reads what was stored at login. */
export async function storedKeys(env: Environment): Promise<StoredKeys> {
  try {
    return { keys: await readKeys(keyFile(env)) };
  } catch (error) {
    return { keys: heldKeys(), warning: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * How a provider is reached: by the environment, then what was stored at login, then the file of settings. Undefined if nobody said where it is, or
 * what was said is no address. A key that is missing is no hindrance here.
 */
export function providerAccess(
  provider: Provider,
  { env, stored, providers }: AccessSources,
): ProviderAccess | undefined {
  const settings = providers[provider.id] ?? {};
  const said = firstSet(env, provider.baseUrlVariables)?.value ?? settings.baseUrl;
  const url = said === undefined ? urlOf(provider.baseUrl) : urlSaid(said, provider);
  if (url === undefined) return undefined;
  const login = loginIn(url);
  const key = keyIn(provider, env);
  return {
    provider,
    baseUrl: url.href.replace(/\/$/, ''),
    apiKey: key?.value ?? storedKey(provider, stored) ?? settings.apiKey,
    keyVariable: key?.name,
    headers: { ...login, ...settings.headers },
    isElsewhere: said !== undefined,
  };
}

/** True if the provider can be asked: a key is there, or not needed. */
export function isReady({ provider, apiKey, isElsewhere, headers }: ProviderAccess): boolean {
  return apiKey !== undefined || !provider.needsKey || isElsewhere || Object.keys(headers).length > 0;
}

// The key of one server is not for another: OpenAI's goes with OpenAI's address only.
function keyIn({ keyVariables, baseUrlVariables }: Provider, env: Environment): ReturnType<typeof firstSet> {
  const hasOwnAddress = firstSet(env, baseUrlVariables)?.name === 'OPENAI_COMPATIBLE_BASE_URL';
  return firstSet(env, hasOwnAddress ? keyVariables.filter((name) => name !== 'OPENAI_API_KEY') : keyVariables);
}

function storedKey({ id }: Provider, { keys }: StoredKeys): string | undefined {
  return Object.hasOwn(keys, id) ? keys[id] : undefined;
}

/** The address with what it lacks: the protocol, the port of Ollama, the version. */
function urlSaid(said: string, { id, version, baseUrl }: Provider): URL | undefined {
  const isBare = !/^https?:\/\//i.test(said);
  const url = urlOf(isBare ? `http://${said.startsWith(':') ? '127.0.0.1' : ''}${said}` : said);
  if (url === undefined) return undefined;
  if (isBare && url.port === '') url.port = urlOf(baseUrl)?.port ?? '';
  // What a server listens on is not always what one can call.
  if (id === 'ollama' && /^(0\.0\.0\.0|\[::\])$/.test(url.hostname)) url.hostname = '127.0.0.1';
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = /\/v\d/.test(path) ? path : `${path}${version}`;
  return url;
}

function urlOf(text: string | undefined): URL | undefined {
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}

/** Takes a name and a password out of an address, which cannot be called with them, and makes a header of them. */
function loginIn(url: URL): Readonly<Record<string, string>> {
  if (url.username === '' && url.password === '') return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
