import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject } from '../../is-object.ts';
import { cacheFolder, replaceFile } from '@turnwire/machine';
import { readRegistry, type RegistryAgent } from './registry-format.ts';

/** A fetched registry, with the time of the fetch. */
export interface CachedRegistry {
  readonly agents: readonly RegistryAgent[];
  /** ISO 8601. */
  readonly fetchedAt: string;
  readonly etag?: string;
  /** The server's answer, unchanged. */
  readonly body: unknown;
}

/** The cached registry of a URL; undefined if there is no readable file. */
export async function readCache(url: string): Promise<CachedRegistry | undefined> {
  try {
    const kept: unknown = JSON.parse(await readFile(cachePath(url), 'utf8'));
    if (!isObject(kept) || kept['url'] !== url) return undefined;
    const { fetchedAt, etag, body } = kept;
    const agents = readRegistry(body);
    if (typeof fetchedAt !== 'string' || !agents) return undefined;
    return { agents, fetchedAt, ...(typeof etag === 'string' && { etag }), body };
  } catch {
    return undefined;
  }
}

/** Stores a fetched registry. */
export async function writeCache(url: string, { fetchedAt, etag, body }: CachedRegistry): Promise<void> {
  const path = cachePath(url);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFile(path, JSON.stringify({ url, fetchedAt, etag, body }));
}

function cachePath(url: string): string {
  const key = createHash('sha256').update(url).digest('hex').slice(0, 16);
  return join(cacheFolder(), 'registry', `${key}.json`);
}
