import type { Duplex } from 'node:stream';

/** Bytes at which a batch leaves before its tick is over. */
const batchBytes = 64 * 1024;

/** What holds frames that leave together at the end of this tick. */
let corked: Duplex[] = [];

/** Holds back what is written next until the end of the tick, or until it is much: one by one, each frame would be a call of the operating system. */
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
