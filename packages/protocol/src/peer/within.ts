import { after } from './after.ts';

/** Waits for the promise, but no longer than so many milliseconds; leaves no timer behind. */
export async function within(milliseconds: number, promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expiry = new Promise<void>((resolve) => (timer = after(milliseconds, resolve)));
  await Promise.race([promise, expiry]);
  clearTimeout(timer);
}
