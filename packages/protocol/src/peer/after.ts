/** The longest wait a timer can hold, some 25 days; it would take a longer one for none at all. */
const longest = 2 ** 31 - 1;

/** Calls back after so many milliseconds; `Infinity` is as good as never. */
export function after(milliseconds: number, action: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(action, Math.min(milliseconds, longest));
}
