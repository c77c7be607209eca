import { readRegistry } from './registry-format.ts';
import type { CachedRegistry } from './registry-cache.ts';

/** How long a registry may take to answer, in milliseconds. */
const timeLimit = 10_000;
/** The maximum size of an answer, in bytes. */
const sizeLimit = 8 * 1024 * 1024;

/** Fetches a registry. Resolves with undefined if the cached copy is still current. Rejects with an Error that gives the reason. */
export async function fetchRegistry(
  url: string,
  kept: CachedRegistry | undefined,
): Promise<CachedRegistry | undefined> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`it did not answer within ${timeLimit / 1000} s`)),
    timeLimit,
  );
  try {
    const headers = { accept: 'application/json', ...(kept?.etag !== undefined && { 'if-none-match': kept.etag }) };
    const response = await fetch(url, { headers, signal: controller.signal });
    if (response.status === 304 && kept) return undefined;
    if (!response.ok) throw new Error(`it answered with status ${response.status}`);
    const body = parsed(await bounded(response));
    const agents = readRegistry(body);
    if (!agents) throw new Error('its answer is not a registry');
    const etag = response.headers.get('etag');
    return { agents, body, fetchedAt: new Date().toISOString(), ...(etag !== null && { etag }) };
  } catch (error) {
    throw reason(error, controller.signal);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

async function bounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > sizeLimit) throw new Error(`it is larger than ${sizeLimit / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('its answer is not JSON');
  }
}

/** The reason of a failed fetch. Node reports only "fetch failed"; the reason is in the cause. */
function reason(error: unknown, { aborted, reason: given }: AbortSignal): Error {
  if (aborted) return given as Error;
  const { cause, message } = error as Error;
  if (!(cause instanceof Error)) return new Error(message);
  return new Error(cause.message || ((cause as NodeJS.ErrnoException).code ?? message));
}
