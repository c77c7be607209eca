/** A duration for the user: `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`;
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The same for running calls: whole seconds, so that it does not flicker. Empty in the first second. */
export function elapsed(milliseconds: number): string {
  return milliseconds < 1000 ? '' : duration(Math.floor(milliseconds / 1000) * 1000).replace('.0 s', ' s');
}
