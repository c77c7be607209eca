import { setTimeout as delay } from 'node:timers/promises';

/** The value of a promise, or undefined after `limit` milliseconds. */
export async function within<Value>(limit: number, promise: Promise<Value>): Promise<Value | undefined> {
  const stop = new AbortController();
  try {
    return await Promise.race([promise, delay(limit, undefined, { signal: stop.signal })]);
  } finally {
    stop.abort();
  }
}
