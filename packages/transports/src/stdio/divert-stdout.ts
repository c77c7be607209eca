/**
 * Sends what anybody else writes to stdout to stderr, `console.log` and its kin included: they all go through
 * `process.stdout.write`. Returns what undoes it.
 */
export function divertStdout(): () => void {
  const { stdout, stderr } = process;
  const before = Object.getOwnPropertyDescriptor(stdout, 'write');
  Object.defineProperty(stdout, 'write', {
    value: stderr.write.bind(stderr),
    configurable: true,
    writable: true,
  });
  // A stray line must not end the process when nobody reads stderr any more. Stays: an error may come late.
  stderr.on('error', ignore);
  return () => {
    if (before === undefined) Reflect.deleteProperty(stdout, 'write');
    else Object.defineProperty(stdout, 'write', before);
  };
}

function ignore(): void {
  // The reader of stderr is gone, and there is nowhere else to say so.
}
