import type { Duplex } from 'node:stream';
import type { Transport } from '@turnwire/protocol';
import type { WebSocket } from 'ws';
import { transportOver, type WebSocketLimits } from '../websocket-transport.ts';

/** Bytes at which a batch leaves before its tick is over. */
const batchBytes = 64 * 1024;

/** What holds frames that leave together at the end of this tick. */
let corked: Duplex[] = [];

/** A transport that writes the frames of one tick at once: one by one, each would be a call of the operating system. */
export function batchingTransport(socket: WebSocket, wire: Duplex, limits: WebSocketLimits): Transport {
  return transportOver(socket, limits, () => batch(wire));
}

/** Holds back what is written next until the end of the tick, or until it is much. */
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
