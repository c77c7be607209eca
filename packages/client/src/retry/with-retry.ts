import { pause } from '@turnwire/machine/waits';
import { TurnwireError, type Dialect, type RequestMethod } from '@turnwire/protocol';
import { type Condition, conditionOf } from './condition.ts';

/** What may get better by itself or by {@link RetryOptions.recover}. */
export type RetryCondition = Extract<Condition, 'connection-closed' | 'timeout' | 'session-lost'>;

/** Another attempt is about to be made. */
export interface Retry {
  /** The attempt that comes, from 2. */
  readonly attempt: number;
  /** Why the one before failed. */
  readonly condition: RetryCondition;
  readonly error: unknown;
  /** How long is waited first, in milliseconds. */
  readonly delay: number;
}

/** How to try again. Everything but the method has a default. */
export interface RetryOptions {
  /** What is called. Only what does no harm when it is done twice is tried again, see {@link isRepeatable}. */
  readonly method: RequestMethod<'agent'>;
  /** Try again though the agent may then do everything twice, such as the work of a prompt. Default false. */
  readonly mayRepeat?: boolean | undefined;
  /** Which failures to try again after. Default: all three. */
  readonly conditions?: readonly RetryCondition[] | undefined;
  /** Attempts in all. Default 5, so at most 15 s are waited, and a quarter more. */
  readonly attempts?: number | undefined;
  /** How much longer than 1, 2, 4, 8, … s a wait may be, as a part of it, so that many clients do not come at once. Default 0.25. */
  readonly jitter?: number | undefined;
  /**
   * Repairs what failed before the next attempt: starts the agent again, brings the session back. If it rejects, that counts as the next
   * attempt having failed.
   */
  readonly recover?: ((condition: RetryCondition) => Promise<void>) | undefined;
  /** Told before each wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Aborts the waiting, and with it the retries. */
  readonly signal?: AbortSignal | undefined;
  /** For errors that did not come through a connection, see {@link conditionOf}. */
  readonly dialect?: Dialect | undefined;
  /** Waits; rejects when the signal aborts. Default: a timer. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** A number from 0 to 1. Default: a random one. */
  readonly random?: (() => number) | undefined;
}

const repeatable: ReadonlySet<RequestMethod<'agent'>> = new Set([
  'initialize',
  'session/list',
  'session/load',
  'session/resume',
  'session/set_mode',
  'session/set_config_option',
  'session/delete',
  'session/close',
]);

/** True for methods that do no harm when they are done twice. */
export function isRepeatable(method: RequestMethod<'agent'>): boolean {
  return repeatable.has(method);
}

/**
 * Does something that may fail for a while, up to five times, 1, 2, 4 and 8 seconds apart. What trying again cannot repair is never tried
 * again: a wrong or forbidden request, a missing login, an error inside the agent.
 * Rejects with the error of the last attempt, or with TurnwireError `cancelled` when the signal aborts a wait.
 */
export async function withRetry<Value>(operation: () => Promise<Value>, options: RetryOptions): Promise<Value> {
  const { attempts = 5, sleep = wait, onRetry, recover, signal } = options;
  let before: RetryCondition | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      if (before) await recover?.(before);
      return await operation();
    } catch (error) {
      before = retryCondition(error, options);
      if (!before || attempt >= attempts) throw error;
      if (signal?.aborted) throw givenUp(signal, error);
      const delay = delayBefore(attempt, options);
      onRetry?.({ attempt: attempt + 1, condition: before, error, delay });
      await sleep(delay, signal);
    }
  }
}

function retryCondition(error: unknown, options: RetryOptions): RetryCondition | undefined {
  const { method, mayRepeat = false, dialect, conditions = ['connection-closed', 'timeout', 'session-lost'] } = options;
  if (!mayRepeat && !isRepeatable(method)) return undefined;
  const condition = conditionOf(error, dialect);
  return conditions.find((each) => each === condition);
}

function delayBefore(attempt: number, { jitter = 0.25, random = Math.random }: RetryOptions): number {
  return Math.round(1000 * 2 ** (attempt - 1) * (1 + jitter * random()));
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(milliseconds, signal).catch(() => {
    throw givenUp(signal);
  });
}

function givenUp(signal: AbortSignal | undefined, error?: unknown): TurnwireError {
  return new TurnwireError('cancelled', 'Trying again was cancelled', { cause: error ?? signal?.reason });
}
