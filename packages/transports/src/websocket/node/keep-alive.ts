import type { Duplex } from 'node:stream';
import { TurnwireError } from '@turnwire/protocol';
import type { WebSocket } from 'ws';

/** How often in the time a peer may be silent it is pinged. */
const pings = 3;

/**
 * Pings the peer, and cuts the connection once nothing at all has arrived for so long: a peer that lost its network says nothing, not even goodbye.
 * Counting pings instead of time leaves a machine that was asleep the chance to receive what is waiting.
 * @param silence in milliseconds
 */
export function keepAlive(socket: WebSocket, wire: Duplex & { readonly bytesRead?: number }, silence: number): void {
  let seen = wire.bytesRead;
  let unanswered = 0;
  const timer = setInterval(() => {
    if (socket.readyState !== socket.OPEN) return;
    // While this side does not read, nothing can arrive.
    unanswered = wire.bytesRead !== seen || socket.isPaused ? 0 : unanswered + 1;
    seen = wire.bytesRead;
    if (unanswered < pings) return socket.ping();
    const message = `nothing has arrived for ${silence / 1000} s, not even answers to pings: the connection is dead`;
    socket.emit('error', new TurnwireError('connection-closed', message));
    socket.terminate();
  }, silence / pings);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
