/** Bytes that may wait in it, in bytes. */
const highWaterMark = 64 * 1024;

/**
 * A stream that writes to another one, and leaves it open at its own end: a program that closes a connection still owns the streams,
 * which may be the input of a process or its own stdout. It locks the other stream only to write, so that the program can close it.
 */
export function keptOpen(output: WritableStream<Uint8Array>): WritableStream<Uint8Array> {
  const write = (bytes: Uint8Array): Promise<void> => {
    const writer = output.getWriter();
    const written = writer.write(bytes);
    writer.releaseLock();
    return written;
  };
  return new WritableStream({ write }, { highWaterMark, size: (bytes) => bytes?.byteLength ?? 0 });
}
