import type { Duplex } from 'node:stream';

/** Bytes at which a batch leaves before its tick is over. */
const batchBytes = 64 * 1024;

/** The sockets whose frames leave together at the end of this tick. */
let corked: Duplex[] = [];

/** Holds back the next writes until the end of the tick, or until they exceed the batch size. Without this, each frame would be a system call. */
export function batch(wire: Duplex): void {
  if (wire.writableCorked === 0) {
    wire.cork();
    if (corked.push(wire) === 1) process.nextTick(uncorkAll);
  } else if (wire.writableLength > batchBytes) {
    wire.uncork();
    wire.cork();
  }
}

function uncorkAll(): void {
  const wires = corked;
  corked = [];
  for (const wire of wires) wire.uncork();
}
