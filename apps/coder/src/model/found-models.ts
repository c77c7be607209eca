import type { ProviderAccess } from './providers/provider.ts';

const patience = 1_000;
const mostModels = 200;
const longestAnswer = 4 * 1024 * 1024;

/** Asks a server which models it has. Undefined if it does not answer within a second, or not as such servers do. */
export async function findModels({ baseUrl, apiKey, headers }: ProviderAccess): Promise<readonly string[] | undefined> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), patience);
  try {
    const response = await fetch(`${baseUrl}/models`, {
      headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
      signal: controller.signal,
      redirect: 'error',
    });
    return response.ok ? namesIn(await shortText(response)) : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

async function shortText(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > longestAnswer) throw new Error('too long to be a list of models');
  }
  return text;
}

function namesIn(text: string): readonly string[] {
  const { data } = JSON.parse(text) as { readonly data?: unknown };
  if (!Array.isArray(data)) return [];
  const ids = data.map((each: unknown) => (each as { readonly id?: unknown } | null)?.id);
  const names = ids.filter((id): id is string => typeof id === 'string' && /^\S+$/.test(id));
  // What only makes vectors of texts answers nobody.
  return names.filter((id) => !/\bembed/i.test(id)).slice(0, mostModels);
}
