import { after } from './after.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Waits for a number of milliseconds. Rejects with the signal's reason as soon as it aborts, and leaves no timer behind. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => (timer = after(milliseconds, resolve)));
  try {
    await (signal ? unlessAborted(over, signal) : over);
  } finally {
    clearTimeout(timer);
  }
}

/** The value of work, or undefined after a number of milliseconds. Leaves no timer behind. */
export async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value | undefined> {
  const done = new AbortController();
  const timeUp = pause(milliseconds, done.signal).catch(() => undefined);
  try {
    return await Promise.race([work, timeUp.then(() => undefined)]);
  } finally {
    done.abort();
  }
}
