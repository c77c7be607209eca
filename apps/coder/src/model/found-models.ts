import type { IncomingMessage } from 'node:http';
import type { ProviderAccess } from './providers/provider.ts';

const patience = 1_000;
const mostModels = 200;
const longestAnswer = 4 * 1024 * 1024;

/** Asks a server which models it has. Undefined if it does not answer within a second, or not as such servers do. */
export async function findModels({ baseUrl, apiKey, headers }: ProviderAccess): Promise<readonly string[] | undefined> {
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  try {
    const signal = AbortSignal.timeout(patience);
    return namesIn(await textAt(new URL(`${baseUrl}/models`), { ...authorization, ...headers }, signal));
  } catch {
    return undefined;
  }
}

/** Every session begins with this. Without `fetch`, which takes three times as long to load as all the rest of it. */
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

function namesIn(text: string): readonly string[] {
  const { data } = JSON.parse(text) as { readonly data?: unknown };
  if (!Array.isArray(data)) return [];
  const ids = data.map((each: unknown) => (each as { readonly id?: unknown } | null)?.id);
  const names = ids.filter((id): id is string => typeof id === 'string' && /^\S+$/.test(id));
  // What only makes vectors of texts answers nobody.
  return names.filter((id) => !/\bembed/i.test(id)).slice(0, mostModels);
}
