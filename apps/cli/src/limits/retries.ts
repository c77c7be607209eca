import { TurnwireError, ProtocolError } from '@turnwire/protocol';

/** Waits before each new try, in milliseconds; the last one is repeated. */
const waits = [1_000, 2_000, 4_000, 8_000];

/** How often, and when, to try again. */
export interface Retries {
  /** Tries after the first. */
  readonly count: number;
  /** Whether anything came of the last try: what an agent has begun may not be done twice. */
  readonly hasBegun: () => boolean;
  readonly signal: AbortSignal;
  /** Hears of every new try. */
  readonly onRetry: (message: string) => void;
}

/** Does something, and again when it fails for a reason that may pass. Rejects with the last reason. */
export async function withRetries<Result>(attempt: () => Promise<Result>, retries: Retries): Promise<Result> {
  for (let left = retries.count; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || retries.signal.aborted || retries.hasBegun() || !mayPass(error)) throw error;
      const wait = waits[Math.min(retries.count - left, waits.length - 1)] ?? 0;
      retries.onRetry(`the turn failed (${(error as Error).message}); trying again in ${wait / 1000} s, ${left} left`);
      await pause(wait, retries.signal);
    }
  }
}

/** The agent is gone, or says only that something inside it went wrong. What it refuses for a reason it will refuse again. */
function mayPass(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === -32603 || error.code === -32700;
  return error instanceof TurnwireError && error.code === 'connection-closed';
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
