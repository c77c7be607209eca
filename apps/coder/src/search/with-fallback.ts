import { RipgrepUnusable } from '../process/ripgrep.ts';
import { failureMessage } from '../tool-error.ts';
import type { FileEngine } from './file-engine.ts';
import { plainEngine } from './plain-engine.ts';
import { ripgrepEngine } from './ripgrep-engine.ts';

/** The result, with a remark if it was found the slow way. */
export interface Found<T> {
  readonly found: T;
  readonly remark?: string;
}

/** Searches with ripgrep, and starts over without it if ripgrep is missing or fails. */
export async function withFallback<T>(
  look: (engine: FileEngine) => Promise<T>,
  ripgrep: FileEngine = ripgrepEngine(),
): Promise<Found<T>> {
  try {
    return { found: await look(ripgrep) };
  } catch (error) {
    if (!(error instanceof RipgrepUnusable)) throw error;
    const found = await look(plainEngine);
    return { found, remark: `Found without ripgrep, which is slower: ${failureMessage(error)}.` };
  }
}
