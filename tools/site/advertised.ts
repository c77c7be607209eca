import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** What one agent answered to `initialize`. */
export interface AdvertisedCapabilities {
  readonly name: string;
  readonly version: string;
  readonly capabilities: object;
}

/** What agents answered, and when. */
export interface Advertised {
  /** A day as `2026-11-23`. */
  readonly date: string;
  readonly agents: readonly AdvertisedCapabilities[];
}

/** Where `tools/real-agents/advertised.ts` keeps what it saw. */
export const advertisedFile: string = join(root, 'docs/advertised.json');

/** What agents were last seen to advertise; undefined if that was not kept. */
export function advertised(): Advertised | undefined {
  return existsSync(advertisedFile) ? (JSON.parse(readFileSync(advertisedFile, 'utf8')) as Advertised) : undefined;
}
