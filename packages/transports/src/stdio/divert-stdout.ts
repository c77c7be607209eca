/** Redirects everything that is written through `process.stdout`, including `console.log`, to stderr. @returns restores stdout */
export function divertStdout(): () => void {
  const { stdout, stderr } = process;
  const before = Object.getOwnPropertyDescriptor(stdout, 'write');
  Object.defineProperty(stdout, 'write', {
    value: stderr.write.bind(stderr),
    configurable: true,
    writable: true,
  });
  // A stray line must not end the process after the reader of stderr has gone. The listener stays, since an error may come late.
  stderr.on('error', ignore);
  return () => {
    if (before === undefined) Reflect.deleteProperty(stdout, 'write');
    else Object.defineProperty(stdout, 'write', before);
  };
}

function ignore(): void {
  // The reader of stderr is gone, so the error cannot be reported.
}
