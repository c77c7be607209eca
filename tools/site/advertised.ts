import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** The answer of one agent to `initialize`. */
export interface AdvertisedCapabilities {
  readonly name: string;
  readonly version: string;
  readonly capabilities: object;
}

/** The answers of agents on one day. */
export interface Advertised {
  /** A day as `2026-11-23`. */
  readonly date: string;
  readonly agents: readonly AdvertisedCapabilities[];
}

/** `tools/real-agents/advertised.ts` writes the answers to this file. */
export const advertisedFile: string = join(root, 'docs/advertised.json');

/** The last recorded answers; undefined if there are none. */
export function advertised(): Advertised | undefined {
  return existsSync(advertisedFile) ? (JSON.parse(readFileSync(advertisedFile, 'utf8')) as Advertised) : undefined;
}
