import type { Config } from '../../config/config.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { fetchRegistry } from './fetch-registry.ts';
import { type CachedRegistry, readCache, writeCache } from './registry-cache.ts';

/** The protocol's public registry, as its documentation gives it. */
const publicRegistry = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

/** How long a fetched registry counts as new, in milliseconds. */
const freshFor = 24 * 60 * 60 * 1000;

/** The registry to use: `TURNWIRE_REGISTRY`, else the configured one, else the public one. Throws CommandError if it is not an address. */
export function registryUrl({ registry }: Config): string {
  const given = process.env['TURNWIRE_REGISTRY'] || registry || publicRegistry;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new CommandError(
    `the registry ${given} is not an address. Give one that begins with https:// in TURNWIRE_REGISTRY, or as "registry" in the configuration`,
    exitCodes.usage,
  );
}

/**
 * The registry at an address: from the cache for a day, then fetched again. If it cannot be reached, the cached copy is used, however old,
 * and `remark` gets a warning. Rejects with CommandError if there is no cached copy.
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
