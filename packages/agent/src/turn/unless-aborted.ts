/** Waits for the answer; rejects with the signal's reason once it aborts. A later answer is ignored. */
export async function unlessAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let onAbort = (): void => undefined;
  const abort = new Promise<never>((_, reject) => {
    onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([answer, abort]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
