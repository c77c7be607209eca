/** Bytes that may wait in it, in bytes. */
const highWaterMark = 64 * 1024;

/**
 * A stream that writes to another one, and leaves it open at its own end: a program that closes a connection still owns the streams,
 * which may be the input of a process or its own stdout.
 */
export function keptOpen(output: WritableStream<Uint8Array>): WritableStream<Uint8Array> {
  const writer = output.getWriter();
  const strategy = { highWaterMark, size: ({ byteLength }: Uint8Array) => byteLength };
  const release = (): void => writer.releaseLock();
  return new WritableStream<Uint8Array>(
    {
      start: (controller) => {
        const gone = (error: unknown): void => controller.error(error ?? new Error('The stream was closed'));
        writer.closed.then(gone, gone);
      },
      write: (bytes) => writer.write(bytes),
      close: release,
      abort: release,
    },
    strategy,
  );
}
