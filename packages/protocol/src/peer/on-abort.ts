interface Waiting {
  readonly actions: Set<() => void>;
  /** The listener. */
  readonly callAll: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back when the signal aborts. However many wait, the signal gets one listener: a thousand requests may share
 * one signal, and some runtimes warn of a leak after ten.
 * @returns takes the callback back
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  const { actions, callAll } = waiting.get(signal) ?? listen(signal);
  actions.add(action);
  return () => {
    if (!actions.delete(action) || actions.size > 0) return;
    // A signal may live as long as a session: without a request that waits, it keeps nothing.
    waiting.delete(signal);
    signal.removeEventListener('abort', callAll);
  };
}

/** Separate from its caller, so that the listener does not keep the first action in memory. */
function listen(signal: AbortSignal): Waiting {
  const actions = new Set<() => void>();
  const callAll = (): void => {
    for (const action of actions) action();
  };
  const listener = { actions, callAll };
  waiting.set(signal, listener);
  signal.addEventListener('abort', callAll, { once: true });
  return listener;
}
