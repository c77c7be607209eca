const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts. However many wait, the signal gets one listener: a thousand requests may share
 * one signal, and some runtimes warn of a leak after ten.
 * @returns takes the callback back
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  const actions = waiting.get(signal) ?? listen(signal);
  actions.add(action);
  return () => void actions.delete(action);
}

/** A function of its own: its listener stays as long as the signal, and must not keep the first action. */
function listen(signal: AbortSignal): Set<() => void> {
  const actions = new Set<() => void>();
  waiting.set(signal, actions);
  const callAll = (): void => {
    for (const action of actions) action();
  };
  signal.addEventListener('abort', callAll, { once: true });
  return actions;
}
