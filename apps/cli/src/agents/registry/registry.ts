import type { Config } from '../../config/config.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { fetchRegistry } from './fetch-registry.ts';
import { type CachedRegistry, readCache, writeCache } from './registry-cache.ts';

/** The protocol's public registry, according to its documentation. */
const publicRegistry = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

/** How long a fetched registry is used without revalidation, in milliseconds. */
const freshFor = 24 * 60 * 60 * 1000;

/** The registry to use: `TURNWIRE_REGISTRY`, else the configured one, else the public one. Throws CommandError if it is not a URL. */
export function registryUrl({ registry }: Config): string {
  const address = process.env['TURNWIRE_REGISTRY'] || registry || publicRegistry;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new CommandError(
    `the registry ${address} is not a URL. Set one that begins with https:// in TURNWIRE_REGISTRY, or as "registry" in the configuration`,
    exitCodes.usage,
  );
}

/**
 * The registry at a URL: from the cache for a day, then fetched again. If it cannot be reached, the cached copy is used regardless of its
 * age, and `onWarning` is called. Rejects with CommandError if there is no cached copy.
 */
export async function registryAt(url: string, onWarning: (message: string) => void): Promise<CachedRegistry> {
  const kept = await readCache(url);
  if (kept && Date.now() - Date.parse(kept.fetchedAt) < freshFor) return kept;
  try {
    const fetched = (await fetchRegistry(url, kept)) ?? {
      ...(kept as CachedRegistry),
      fetchedAt: new Date().toISOString(),
    };
    await writeCache(url, fetched).catch((error: unknown) =>
      onWarning(`the registry cannot be cached: ${(error as Error).message}`),
    );
    return fetched;
  } catch (error) {
    return withoutIt(url, error as Error, { kept, onWarning });
  }
}

function withoutIt(
  url: string,
  { message }: Error,
  { kept, onWarning }: { readonly kept: CachedRegistry | undefined; readonly onWarning: (message: string) => void },
): CachedRegistry {
  const problem = `the registry ${withoutSecrets(url)} cannot be reached: ${message}`;
  if (!kept)
    throw new CommandError(`${problem}. There is no cached copy; try again when you are online`, exitCodes.error);
  onWarning(`${problem}. The copy of ${kept.fetchedAt.slice(0, 10)} is used`);
  return kept;
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
