import { backOff, pause } from '@turnwire/machine/waits';
import { TurnwireError, ProtocolError } from '@turnwire/protocol';

/** The conditions of a retry. */
export interface Retries {
  /** The number of attempts after the first. */
  readonly count: number;
  /** Returns whether the last attempt had an effect: an agent must not do the same work twice. */
  readonly hasBegun: () => boolean;
  readonly signal: AbortSignal;
  /** Called before every new attempt. */
  readonly onRetry: (message: string) => void;
}

/** Runs work, and again if it fails for a passing reason. Rejects with the last error. */
export async function withRetries<Result>(attempt: () => Promise<Result>, retries: Retries): Promise<Result> {
  const delays = backOff({ most: 8_000, jitter: 0 });
  for (let left = retries.count; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || retries.signal.aborted || retries.hasBegun() || !mayPass(error)) throw error;
      const wait = delays.next().value;
      retries.onRetry(`the turn failed (${(error as Error).message}); trying again in ${wait / 1000} s, ${left} left`);
      await pause(wait, retries.signal).catch(() => undefined);
    }
  }
}

/** Whether the agent is gone or reports an internal error. It would repeat a refusal. */
function mayPass(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === -32603 || error.code === -32700;
  return error instanceof TurnwireError && error.code === 'connection-closed';
}
