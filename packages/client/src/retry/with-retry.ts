import { backOff, pause } from '@turnwire/machine/waits';
import { TurnwireError, type Dialect, type RequestMethod } from '@turnwire/protocol';
import { type Condition, conditionOf } from './condition.ts';

/** Failures that are transient, or that {@link RetryOptions.recover} can fix. */
export type RetryCondition = Extract<Condition, 'connection-closed' | 'timeout' | 'session-lost'>;

/** A retry that is about to start. */
export interface Retry {
  /** Number of the attempt, from 2. */
  readonly attempt: number;
  /** Why the previous one failed. */
  readonly condition: RetryCondition;
  readonly error: unknown;
  /** Milliseconds to wait first. */
  readonly delay: number;
}

/** How to retry. Everything but the method has a default. */
export interface RetryOptions {
  /** The method called. Only idempotent methods are retried, see {@link isRepeatable}. */
  readonly method: RequestMethod<'agent'>;
  /** Retry although the agent may then do everything twice, such as the work of a prompt. Default false. */
  readonly mayRepeat?: boolean | undefined;
  /** Failures to retry after. Default: all three. */
  readonly conditions?: readonly RetryCondition[] | undefined;
  /** Number of attempts. Default 5, so the waits add up to at most 15 s. */
  readonly attempts?: number | undefined;
  /** How much shorter than 1, 2, 4, 8, … s a wait may be, as a fraction, so that clients do not retry simultaneously. Default 0.25. */
  readonly jitter?: number | undefined;
  /** Repairs the failure before the next attempt: restarts the agent, restores the session. If it rejects, the attempt has failed. */
  readonly recover?: ((condition: RetryCondition) => Promise<void>) | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Aborts the wait, and with it the retries. */
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

/** True for methods that may safely be called twice. */
export function isRepeatable(method: RequestMethod<'agent'>): boolean {
  return repeatable.has(method);
}

/**
 * Runs an operation that may fail temporarily, up to five times, 1, 2, 4 and 8 seconds apart. Permanent failures are not retried: an
 * invalid or forbidden request, a missing login, an error inside the agent. Rejects with the error of the last attempt, or with
 * TurnwireError `cancelled` when the signal aborts a wait.
 */
export async function withRetry<Value>(operation: () => Promise<Value>, options: RetryOptions): Promise<Value> {
  const { attempts = 5, sleep = wait, onRetry, recover, signal } = options;
  const delays = backOff(options);
  let before: RetryCondition | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      if (before) await recover?.(before);
      return await operation();
    } catch (error) {
      before = retryCondition(error, options);
      if (!before || attempt >= attempts) throw error;
      if (signal?.aborted) throw givenUp(signal, error);
      const delay = delays.next().value;
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

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(milliseconds, signal).catch(() => {
    throw givenUp(signal);
  });
}

function givenUp(signal: AbortSignal | undefined, error?: unknown): TurnwireError {
  return new TurnwireError('cancelled', 'The retry was cancelled', { cause: error ?? signal?.reason });
}
