/** The answer, or the signal's reason as an error once it aborts. An answer that comes later is let go. */
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
