/**
 * The outcome of work, or the signal's reason as an error as soon as it aborts. A signal that has already aborted counts even if the work is done.
 * Work that cannot be cancelled continues in the background; its outcome is ignored.
 */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits for work, but no longer than until the signal aborts. Rejects as the work does. */
export async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await unlessAborted(work, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
