/** The result of work, or the signal's reason as soon as it aborts. Work that cannot be aborted is abandoned. */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    // The signal is checked first: if it is aborted already, it takes precedence over finished work.
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits for work, or until the signal aborts. */
export async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await unlessAborted(work, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
