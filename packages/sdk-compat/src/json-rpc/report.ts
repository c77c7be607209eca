/** Prints where the official package prints. Never a parameter or a result: they may hold secrets. */
export function report(event: string, about: unknown): void {
  // oxlint-disable-next-line no-console -- programs expect these lines on stderr, as from the official package
  console.error(event, about);
}
