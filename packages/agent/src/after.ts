/** The longest a timer can wait, some 25 days; asked for more, Node would not wait at all. */
const longest = 2 ** 31 - 1;

/** Calls back after so many milliseconds; never after `Infinity`. */
export function after(milliseconds: number, action: () => void): NodeJS.Timeout | undefined {
  return milliseconds === Infinity ? undefined : setTimeout(action, Math.min(milliseconds, longest));
}
