import { readSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';

/**
 * Runs a program in a pseudo-terminal and receives all of its output. The package alone loses the end on a busy machine: after the exit,
 * libuv reports the end of the output after one more read, of at most 4 KB, and 200 ms later the package stops reading.
 * @type {typeof spawn}
 */
export const startInTerminal = (...command) => {
  const terminal = spawn(...command);
  const { _socket: socket, fd } = /** @type {{ _socket: import('node:tty').ReadStream, fd: number }} */ (
    /** @type {unknown} */ (terminal)
  );
  const [push, destroy] = [socket.push.bind(socket), socket.destroy.bind(socket)];
  let isComplete = false;
  const receiveRest = () => {
    if (isComplete) return;
    isComplete = true;
    for (let chunk = readNow(fd); chunk.length > 0; chunk = readNow(fd)) push(chunk);
  };
  socket.push = (chunk, encoding) => {
    if (chunk === null) receiveRest();
    return push(chunk, encoding);
  };
  socket.destroy = (error) => {
    receiveRest();
    return destroy(error);
  };
  return terminal;
};

/**
 * The next output that has already arrived.
 * @param {number} fd
 */
function readNow(fd) {
  const buffer = Buffer.alloc(4_096);
  try {
    return buffer.subarray(0, readSync(fd, buffer));
  } catch {
    // EIO: the terminal is closed.
    return buffer.subarray(0, 0);
  }
}
