import type { RequirementId } from '../requirements/requirement.ts';
import type { Observer } from '../verdict/observer.ts';
import { Stopped } from '../verdict/stopped.ts';

/**
 * Runs a scenario to its end, however it ends, and takes down what stays unseen. Never rejects.
 * @returns what the kit itself did wrong, if it did
 */
export async function settle(
  { covers }: { readonly covers: readonly RequirementId[] },
  see: Observer,
  run: () => Promise<void>,
): Promise<string | undefined> {
  const [reason, mishap] = await ending(see, run);
  for (const requirement of covers) if (!see.knows(requirement)) see.unseen(requirement, reason);
  return mishap;
}

async function ending(see: Observer, run: () => Promise<void>): Promise<readonly [reason: string, mishap?: string]> {
  try {
    await run();
    return ['there was no occasion'];
  } catch (error) {
    if (!(error instanceof Stopped))
      return ['the scenario itself failed', String(error instanceof Error ? error.stack : error)];
    if (error.requirement !== undefined) see.broken(error.requirement, error.message, error.evidence);
    return [error.message];
  }
}
