const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts. However many wait, the signal gets one listener: a thousand requests may share
 * one signal, and some runtimes warn of a leak after ten.
 * @returns takes the callback back
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  const known = waiting.get(signal);
  const actions = known ?? new Set();
  if (!known) {
    waiting.set(signal, actions);
    signal.addEventListener(
      'abort',
      () => {
        for (const each of actions) each();
      },
      { once: true },
    );
  }
  actions.add(action);
  return () => void actions.delete(action);
}
