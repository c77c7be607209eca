import type { Config } from '../../config/config.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { fetchRegistry } from './fetch-registry.ts';
import { type CachedRegistry, readCache, writeCache } from './registry-cache.ts';

/** Where the protocol's public registry is, by its documentation. */
const publicRegistry = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

/** How long what was fetched is taken for new, in milliseconds. */
const freshFor = 24 * 60 * 60 * 1000;

/** The registry that counts: `TURNWIRE_REGISTRY`, else the configured one, else the public one. Throws CommandError for no address. */
export function registryUrl({ registry }: Config): string {
  const given = process.env['TURNWIRE_REGISTRY'] || registry || publicRegistry;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new CommandError(
    `the registry ${given} is no address. Give one that begins with https:// in TURNWIRE_REGISTRY, or as "registry" in the configuration`,
    exitCodes.usage,
  );
}

/**
 * The registry at an address: what is kept of it for a day, then asked for again. If it cannot be reached, what is kept is used, however
 * old, and `remark` is told so. Rejects with CommandError if nothing is kept.
 */
export async function registryAt(url: string, remark: (message: string) => void): Promise<CachedRegistry> {
  const kept = await readCache(url);
  if (kept && Date.now() - Date.parse(kept.fetchedAt) < freshFor) return kept;
  try {
    const fetched = (await fetchRegistry(url, kept)) ?? {
      ...(kept as CachedRegistry),
      fetchedAt: new Date().toISOString(),
    };
    await writeCache(url, fetched).catch((error: unknown) =>
      remark(`the registry cannot be kept: ${(error as Error).message}`),
    );
    return fetched;
  } catch (error) {
    return withoutIt(url, error as Error, { kept, remark });
  }
}

function withoutIt(
  url: string,
  { message }: Error,
  { kept, remark }: { readonly kept: CachedRegistry | undefined; readonly remark: (message: string) => void },
): CachedRegistry {
  const problem = `the registry ${withoutSecrets(url)} cannot be reached: ${message}`;
  if (!kept)
    throw new CommandError(`${problem}. Nothing was kept of it; try again when you are online`, exitCodes.error);
  remark(`${problem}. What was fetched on ${kept.fetchedAt.slice(0, 10)} is used`);
  return kept;
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
