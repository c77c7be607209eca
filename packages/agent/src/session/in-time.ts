import { after } from '../after.ts';

/** Waits for work that never rejects, at most so many milliseconds. True if it was done by then. */
export async function inTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<boolean>((resolve) => (timer = after(milliseconds, () => resolve(false))));
  try {
    return await Promise.race([work.then(() => true), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
