import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { keepAlive } from '../../src/websocket/node/keep-alive.ts';

/** The part of a WebSocket that is used by keep-alive. */
class WatchedSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly isPaused = false;
  pings = 0;
  ping(): void {
    this.pings++;
  }
  terminate(): void {
    this.emit('terminated');
  }
}

/** A monitored socket, and the bytes that have arrived at each check. */
function watched(bytesRead: () => number): WatchedSocket {
  const socket = new WatchedSocket();
  socket.on('error', () => undefined);
  const wire = Object.defineProperty({}, 'bytesRead', { get: bytesRead }) as Duplex;
  keepAlive(socket as unknown as WebSocket, wire, 60);
  return socket;
}

test('an active peer is not pinged, and a silent one is pinged until it counts as dead', async () => {
  let bytes = 0;
  const lively = watched(() => ++bytes);
  const silent = watched(() => 0);
  await new Promise((resolve) => silent.on('terminated', resolve));
  expect({ lively: lively.pings, silent: silent.pings }).toEqual({ lively: 0, silent: 2 });
  for (const socket of [lively, silent]) socket.emit('close');
});
