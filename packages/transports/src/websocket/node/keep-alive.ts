import type { Duplex } from 'node:stream';
import { TurnwireError } from '@turnwire/protocol';
import type { WebSocket } from 'ws';

/** How often in the time a peer may be silent it is pinged. */
const pings = 3;

type Wire = Duplex & { readonly bytesRead?: number };

/** What is known of a connection. */
interface Watched {
  readonly wire: Wire;
  seen: number | undefined;
  unanswered: number;
}

/** The connections that may be silent for the same time share a timer: ten thousand would have ten thousand. */
class Round {
  readonly #silence: number;
  readonly #watched = new Map<WebSocket, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(silence: number) {
    this.#silence = silence;
  }

  add(socket: WebSocket, watched: Watched): void {
    this.#watched.set(socket, watched);
    this.#timer ??= setInterval(() => this.#beat(), this.#silence / pings).unref();
  }

  delete(socket: WebSocket): void {
    this.#watched.delete(socket);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const [socket, watched] of this.#watched) this.#look(socket, watched);
  }

  #look(socket: WebSocket, watched: Watched): void {
    const { wire } = watched;
    if (socket.readyState !== socket.OPEN) return;
    // While this side does not read, nothing can arrive.
    watched.unanswered = wire.bytesRead !== watched.seen || socket.isPaused ? 0 : watched.unanswered + 1;
    watched.seen = wire.bytesRead;
    // Who was heard of a moment ago is not asked: that spares every other ping of a connection that is idle.
    if (watched.unanswered === 0 && !socket.isPaused) return;
    if (watched.unanswered < pings) return socket.ping();
    const message = `nothing has arrived for ${this.#silence / 1000} s, not even answers to pings: the connection is dead`;
    socket.emit('error', new TurnwireError('connection-closed', message));
    socket.terminate();
  }
}

const rounds = new Map<number, Round>();

/**
 * Pings the peer, and cuts the connection once nothing at all has arrived for so long: a peer that lost its network says nothing, not even goodbye.
 * Counting pings instead of time leaves a machine that was asleep the chance to receive what is waiting.
 * @param silence in milliseconds
 */
export function keepAlive(socket: WebSocket, wire: Wire, silence: number): void {
  let round = rounds.get(silence);
  if (round === undefined) rounds.set(silence, (round = new Round(silence)));
  round.add(socket, { wire, seen: wire.bytesRead, unanswered: 0 });
  socket.on('close', forget);
}

/** Not a closure: each connection would keep one. */
function forget(this: WebSocket): void {
  for (const round of rounds.values()) round.delete(this);
}
