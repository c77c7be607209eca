import type { Duplex } from 'node:stream';
import { TurnwireError } from '@turnwire/protocol';
import type { WebSocket } from 'ws';

/** Pings in the time that a peer may be silent. */
const pings = 3;

type Wire = Duplex & { readonly bytesRead?: number };

/** The state of a monitored connection. */
interface Watched {
  readonly wire: Wire;
  seen: number | undefined;
  unanswered: number;
}

/** Shares one timer among the connections with the same timeout: ten thousand connections would otherwise need ten thousand timers. */
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
    for (const [socket, watched] of this.#watched) this.#check(socket, watched);
  }

  #check(socket: WebSocket, watched: Watched): void {
    const { wire } = watched;
    if (socket.readyState !== socket.OPEN) return;
    // While this side does not read, nothing can arrive.
    watched.unanswered = wire.bytesRead !== watched.seen || socket.isPaused ? 0 : watched.unanswered + 1;
    watched.seen = wire.bytesRead;
    // A peer that sent something since the last check is not pinged, which saves every other ping of an idle connection.
    if (watched.unanswered === 0 && !socket.isPaused) return;
    if (watched.unanswered < pings) return socket.ping();
    const message = `nothing has arrived for ${this.#silence / 1000} s, not even answers to pings: the connection is dead`;
    socket.emit('error', new TurnwireError('connection-closed', message));
    socket.terminate();
  }
}

const rounds = new Map<number, Round>();

/**
 * Pings the peer, and ends the connection when nothing at all has arrived for too long: a peer that lost its network cannot close the connection.
 * Counts pings instead of time, so that a machine that was asleep can still receive waiting data.
 * @param silence in milliseconds
 */
export function keepAlive(socket: WebSocket, wire: Wire, silence: number): void {
  let round = rounds.get(silence);
  if (round === undefined) rounds.set(silence, (round = new Round(silence)));
  round.add(socket, { wire, seen: wire.bytesRead, unanswered: 0 });
  socket.on('close', forget);
}

/** A shared function, because each connection would keep a closure. */
function forget(this: WebSocket): void {
  for (const round of rounds.values()) round.delete(this);
}
