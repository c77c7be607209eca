import type { OutgoingMethod } from './method-table.ts';

/** One of our requests that waits for its answer. */
export interface PendingRequest {
  method: OutgoingMethod;
  readonly params: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Set when the request is abandoned: it rejects with this if the peer answers with an error. */
  givingUp?: Error;
  /** Frees what the wait holds: timers, listeners. */
  release?: () => void;
  /** Set when the answer has come and waits behind earlier updates. */
  settle?: () => void;
}

/** Places in the ring at first; a power of two. */
const fewPlaces = 4;

/** Places in the ring at most; a power of two. */
const mostPlaces = 256;

interface Place {
  readonly id: number;
  readonly request: PendingRequest;
}

/**
 * Our requests that wait for an answer, by id. Ids count up and are never used twice on a connection. Most answers come
 * soon: the newest requests wait in a ring, and one that still waits when its place is needed moves to a map. A map alone
 * would be filled and emptied by every request, which keeps the garbage collector busy.
 */
export class PendingRequests {
  /** Made for the first request: most connections of a server never send one. */
  #ring: (Place | undefined)[] = [];
  #older: Map<number, PendingRequest> | undefined;
  /** The id the next request will get. */
  nextId: number;
  /** The number of requests that wait. */
  size = 0;

  /** @param first the first id */
  constructor(first = 0) {
    this.nextId = first;
  }

  /** Takes a place in the ring, which grows before any request has to leave it. */
  add(request: PendingRequest): number {
    const id = this.nextId++;
    if (this.#ring.length === 0) this.#ring = Array.from({ length: fewPlaces });
    while (this.#ring[id % this.#ring.length] !== undefined && this.#ring.length < mostPlaces) {
      const waiting = this.#ring;
      this.#ring = Array.from({ length: waiting.length * 2 });
      for (const place of waiting) if (place) this.#ring[place.id % this.#ring.length] = place;
    }
    const index = id % this.#ring.length;
    const earlier = this.#ring[index];
    if (earlier !== undefined) (this.#older ??= new Map()).set(earlier.id, earlier.request);
    this.#ring[index] = { id, request };
    this.size++;
    return id;
  }

  /** The request an answer belongs to; it waits no longer. Some peers answer a number with its digits. */
  take(answered: unknown): PendingRequest | undefined {
    const id = typeof answered === 'string' && /^\d{1,15}$/.test(answered) ? Number(answered) : answered;
    if (typeof id !== 'number') return undefined;
    const index = id % this.#ring.length;
    const place = this.#ring[index];
    const isRecent = place?.id === id;
    const request = isRecent ? place.request : this.#older?.get(id);
    if (request === undefined) return undefined;
    if (isRecent) this.#ring[index] = undefined;
    else this.#older?.delete(id);
    this.size--;
    return request;
  }

  /** Everything that waits, in the order it was sent; nothing waits afterwards. */
  takeAll(): readonly PendingRequest[] {
    const recent = this.#ring.flatMap((place) => (place === undefined ? [] : [place.id])).toSorted((a, b) => a - b);
    return [...(this.#older?.keys() ?? []), ...recent].map((id) => this.take(id) as PendingRequest);
  }
}
