import { readSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import type { IPty } from '@lydell/node-pty';

/** Bytes of one read. */
const atOnce = 4_096;
/** Bytes to read after the end: other processes may still hold the terminal, and never stop writing. The system buffers less. */
const most = 1024 * 1024;

/**
 * Makes a pseudo-terminal deliver all of its output before its exit. The package alone loses the end on a busy machine: after the exit,
 * libuv reports the end of the output after one more read, of at most 4 KB, and 200 ms later the package stops reading.
 */
export function receiveAllOutput(terminal: IPty): void {
  const { _socket: socket, fd } = terminal as IPty & { readonly _socket: ReadStream; readonly fd: number };
  const [push, destroy] = [socket.push.bind(socket), socket.destroy.bind(socket)];
  let isComplete = false;
  const receiveRest = (): void => {
    if (isComplete) return;
    isComplete = true;
    for (let left = most; left > 0; left -= atOnce) {
      const chunk = readNow(fd);
      if (chunk.length === 0) return;
      push(chunk);
    }
  };
  socket.push = (chunk, encoding) => {
    if (chunk === null) receiveRest();
    return push(chunk, encoding);
  };
  socket.destroy = (error) => {
    receiveRest();
    return destroy(error);
  };
}

/** The next output that has already arrived. */
function readNow(fd: number): Buffer {
  const buffer = Buffer.alloc(atOnce);
  try {
    return buffer.subarray(0, readSync(fd, buffer));
  } catch {
    // EAGAIN: nothing has arrived. EIO: the terminal is closed.
    return buffer.subarray(0, 0);
  }
}
