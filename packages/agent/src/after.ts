/** The longest delay of a timer, some 25 days; with a longer one Node fires at once. */
const longest = 2 ** 31 - 1;

/** Calls back after a delay in milliseconds; never after `Infinity`. */
export function after(milliseconds: number, action: () => void): NodeJS.Timeout | undefined {
  return milliseconds === Infinity ? undefined : setTimeout(action, Math.min(milliseconds, longest));
}
