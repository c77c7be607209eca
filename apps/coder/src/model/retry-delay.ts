import type { ModelFailure } from './model-failure.ts';
import type { StreamLimits } from './stream-limits.ts';

/** Milliseconds before the next attempt, or undefined if there is none: it would fail again, or the server wants too long a pause. */
export function retryDelay(
  { data: { retryable, retryAfter } }: ModelFailure,
  attempt: number,
  { firstPause, longestPause }: StreamLimits,
): number | undefined {
  if (!retryable) return undefined;
  if (retryAfter !== undefined) return retryAfter <= longestPause ? retryAfter : undefined;
  const most = Math.min(firstPause * 2 ** (attempt - 1), longestPause);
  // Clients that failed together must not retry together.
  return Math.round(most * (0.5 + Math.random() / 2));
}
