/** The longest delay of a timer, some 25 days; a longer one fires at once. */
const longest = 2 ** 31 - 1;

/** Calls back after a delay in milliseconds; never after `Infinity`. Returns what `clearTimeout` takes; undefined for `Infinity`. */
export function after(milliseconds: number, action: () => void): ReturnType<typeof setTimeout> | undefined {
  return milliseconds === Infinity ? undefined : setTimeout(action, Math.min(milliseconds, longest));
}

/** Calls back after everything that is due now, such as writing an answer. Browsers lack `setImmediate`. */
export function soon(action: () => void): void {
  const { setImmediate = setTimeout } = globalThis as { readonly setImmediate?: (action: () => void) => unknown };
  setImmediate(action);
}
