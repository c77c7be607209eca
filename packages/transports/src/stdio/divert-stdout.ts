/**
 * Redirects everything that is written through `process.stdout`, `console.log` included, to stderr. Returns a function that
 * undoes it.
 */
export function divertStdout(): () => void {
  const { stdout, stderr } = process;
  const before = Object.getOwnPropertyDescriptor(stdout, 'write');
  Object.defineProperty(stdout, 'write', {
    value: stderr.write.bind(stderr),
    configurable: true,
    writable: true,
  });
  // A stray line must not end the process when stderr has no reader any more. The listener stays, since an error may come late.
  stderr.on('error', ignore);
  return () => {
    if (before === undefined) Reflect.deleteProperty(stdout, 'write');
    else Object.defineProperty(stdout, 'write', before);
  };
}

function ignore(): void {
  // The reader of stderr is gone, and there is nowhere else to say so.
}
