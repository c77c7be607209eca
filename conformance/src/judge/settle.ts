import type { RequirementId } from '../requirements/requirement.ts';
import type { Observer } from '../verdict/observer.ts';
import { Stopped } from '../wire/stopped.ts';

/**
 * Runs a scenario to its end, however it ends, and records what stays unseen. Never rejects.
 * @returns the harness error, if there was one
 */
export async function settle(
  { covers }: { readonly covers: readonly RequirementId[] },
  see: Observer,
  run: () => Promise<void>,
): Promise<string | undefined> {
  const [reason, harnessError] = await ending(see, run);
  for (const requirement of covers) if (!see.knows(requirement)) see.unseen(requirement, reason);
  return harnessError;
}

async function ending(
  see: Observer,
  run: () => Promise<void>,
): Promise<readonly [reason: string, harnessError?: string]> {
  try {
    await run();
    return ['the precondition did not occur'];
  } catch (error) {
    if (!(error instanceof Stopped))
      return ['the scenario itself failed', String(error instanceof Error ? error.stack : error)];
    if (error.requirement !== undefined) see.broken(error.requirement, error.message, error.evidence);
    return [error.message];
  }
}
