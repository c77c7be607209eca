import { RipgrepUnusable } from '../process/ripgrep.ts';
import { failureMessage } from '../tool-error.ts';
import type { FileEngine } from './file-engine.ts';
import { plainEngine } from './plain-engine.ts';
import { ripgrepEngine } from './ripgrep-engine.ts';

/** The result, and a note for the user if ripgrep could not be used. */
export interface Found<T> {
  readonly found: T;
  readonly note?: string;
}

/** Searches with ripgrep, and starts over without it if ripgrep is missing or fails. */
export async function withFallback<T>(
  search: (engine: FileEngine) => Promise<T>,
  ripgrep: FileEngine = ripgrepEngine(),
): Promise<Found<T>> {
  try {
    return { found: await search(ripgrep) };
  } catch (error) {
    if (!(error instanceof RipgrepUnusable)) throw error;
    const found = await search(plainEngine);
    return { found, note: `Found without ripgrep, which is slower: ${failureMessage(error)}.` };
  }
}
