import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { ModelPrice } from '../config/setting-groups.ts';
import type { ProviderAccess } from './providers/provider.ts';

/** A model that a server lists. */
export interface FoundModel {
  readonly name: string;
  /** Tokens of conversation and answer together. Undefined: the server does not report it. */
  readonly contextWindow: number | undefined;
  /** Undefined: the server does not report it. */
  readonly price: ModelPrice | undefined;
}

const timeout = 1_000;
const longestAnswer = 4 * 1024 * 1024;

/** Asks a server for its models. Undefined if it does not answer within a second, or not in the usual format. */
export async function findModels(access: ProviderAccess): Promise<readonly FoundModel[] | undefined> {
  const signal = AbortSignal.timeout(timeout);
  try {
    await mustListen(new URL(access.baseUrl), signal);
    const [list, sizes] = await Promise.all([
      askFor('/models', access, signal),
      sizesOf(access, signal).catch(() => undefined),
    ]);
    return modelsIn(list).map((model) => ({ ...model, contextWindow: sizes?.(model.name) ?? model.contextWindow }));
  } catch {
    return undefined;
  }
}

/** The configured context sizes, from a server with its own API. Its OpenAI-compatible list has at most the maximum sizes. */
async function sizesOf(
  access: ProviderAccess,
  signal: AbortSignal,
): Promise<((name: string) => number | undefined) | undefined> {
  const ask = (path: string): Promise<unknown> =>
    askFor(path, { ...access, baseUrl: access.baseUrl.replace(/\/v\d\w*$/, '') }, signal);
  switch (access.provider.id) {
    case 'ollama': {
      // Only for loaded models: the size is set when a model is loaded.
      const loaded = entriesOf(await ask('/api/ps'), 'models');
      return (name) => sizeIn(loaded.find((each) => each['name'] === name || each['model'] === name));
    }
    case 'lmstudio': {
      const models = entriesOf(await ask('/api/v0/models'), 'data');
      return (name) => sizeIn(models.find(({ id }) => id === name));
    }
    case 'llamacpp': {
      const props = (await ask('/props')) as { readonly default_generation_settings?: { readonly n_ctx?: unknown } };
      const size = tokensIn(props.default_generation_settings?.n_ctx);
      return () => size;
    }
    default:
      return undefined;
  }
}

/**
 * Rejects if nothing listens at an unencrypted address, which is the usual result on this machine: loading the HTTP module takes ten times
 * as long as this check.
 */
async function mustListen({ protocol, hostname, port }: URL, signal: AbortSignal): Promise<void> {
  if (protocol !== 'http:') return;
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 80) });
    signal.addEventListener('abort', () => socket.destroy(signal.reason as Error), { once: true });
    socket.on('error', reject).on('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

async function askFor(
  path: string,
  { baseUrl, apiKey, headers }: Pick<ProviderAccess, 'baseUrl' | 'apiKey' | 'headers'>,
  signal: AbortSignal,
): Promise<unknown> {
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return JSON.parse(await textAt(new URL(`${baseUrl}${path}`), { ...authorization, ...headers }, signal));
}

/** Runs at the start of every session, therefore without `fetch`, which takes three times as long to load as all the rest. */
async function textAt(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, signal, agent: false }, resolve).on('error', reject).end();
  });
  try {
    if (!String(response.statusCode).startsWith('2')) throw new Error(`answered ${response.statusCode}`);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk as string;
      if (text.length > longestAnswer) throw new Error('too long to be a list of models');
    }
    return text;
  } finally {
    response.destroy();
  }
}

type Entry = Readonly<Record<string, unknown>>;

function entriesOf(answer: unknown, key: string): readonly Entry[] {
  const list = (answer as Entry | null)?.[key];
  return Array.isArray(list) ? list.filter((each): each is Entry => typeof each === 'object' && each !== null) : [];
}

function modelsIn(answer: unknown): readonly FoundModel[] {
  return (
    entriesOf(answer, 'data')
      .flatMap((each) => {
        const { id } = each;
        return typeof id === 'string' && /^\S+$/.test(id)
          ? [{ name: id, contextWindow: sizeIn(each), price: priceIn(each['pricing']) }]
          : [];
      })
      // Embedding models cannot chat.
      .filter(({ name }) => !/\bembed/i.test(name))
  );
}

/** The field names of servers for the context size; the size in use comes before the possible one. */
const sizeNames = ['loaded_context_length', 'max_model_len', 'context_length', 'context_window', 'max_context_length'];

function sizeIn(entry: Entry | undefined): number | undefined {
  for (const name of sizeNames) {
    const size = tokensIn(entry?.[name]);
    if (size !== undefined) return size;
  }
  return undefined;
}

function tokensIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** The price as OpenRouter lists it: US dollars for one token, as text. Free models cost 0; a negative price means that it varies. */
function priceIn(pricing: unknown): ModelPrice | undefined {
  if (typeof pricing !== 'object' || pricing === null) return undefined;
  const { prompt, completion, input_cache_read: read, input_cache_write: write } = pricing as Entry;
  const [input, output, cacheRead, cacheWrite] = [prompt, completion, read, write].map(perMillion);
  return input === undefined || output === undefined ? undefined : { input, output, cacheRead, cacheWrite };
}

function perMillion(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  const dollars = Number(value);
  // Rounded, since 0.000003 times a million is 3 and not 2.9999999999999996.
  return Number.isFinite(dollars) && dollars >= 0 ? Math.round(dollars * 1e12) / 1e6 : undefined;
}
