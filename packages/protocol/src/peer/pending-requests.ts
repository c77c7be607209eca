import type { OutgoingMethod } from './method-table.ts';

/** One of our requests that waits for its answer. */
export interface PendingRequest {
  readonly method: OutgoingMethod;
  readonly params: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Set once the request is being given up: what it rejects with, should the peer answer with an error. */
  givingUp?: Error;
  /** Frees what the wait holds: timers, listeners. */
  release?: () => void;
  /** Set once its end is known but has to wait behind the updates that came before. */
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
  #next: number;
  #size = 0;

  /** @param first the first id */
  constructor(first = 0) {
    this.#next = first;
  }

  get size(): number {
    return this.#size;
  }

  /** The id the next request will get. */
  get nextId(): number {
    return this.#next;
  }

  add(request: PendingRequest): number {
    const id = this.#next++;
    const earlier = this.#placeFor(id);
    if (earlier !== undefined) (this.#older ??= new Map()).set(earlier.id, earlier.request);
    this.#ring[id % this.#ring.length] = { id, request };
    this.#size++;
    return id;
  }

  /** The request an answer belongs to; it waits no longer. */
  take(id: unknown): PendingRequest | undefined {
    if (typeof id !== 'number') return undefined;
    const request = this.#takeNew(id) ?? this.#takeOlder(id);
    if (request !== undefined) this.#size--;
    return request;
  }

  /** Everything that waits, in the order it was sent; nothing waits afterwards. */
  takeAll(): readonly PendingRequest[] {
    const recent = this.#ring.flatMap((place) => (place === undefined ? [] : [place.id])).toSorted((a, b) => a - b);
    return [...(this.#older?.keys() ?? []), ...recent].map((id) => this.take(id) as PendingRequest);
  }

  /** What has the place that a request is to get. The ring grows before anything has to leave it. */
  #placeFor(id: number): Place | undefined {
    if (this.#ring.length === 0) this.#ring = Array.from({ length: fewPlaces });
    for (;;) {
      const earlier = this.#ring[id % this.#ring.length];
      if (earlier === undefined || this.#ring.length === mostPlaces) return earlier;
      const waiting = this.#ring;
      this.#ring = Array.from({ length: waiting.length * 2 });
      for (const place of waiting) if (place) this.#ring[place.id % this.#ring.length] = place;
    }
  }

  #takeNew(id: number): PendingRequest | undefined {
    const index = id % this.#ring.length;
    const place = this.#ring[index];
    if (place?.id !== id) return undefined;
    this.#ring[index] = undefined;
    return place.request;
  }

  #takeOlder(id: number): PendingRequest | undefined {
    const request = this.#older?.get(id);
    if (request !== undefined) this.#older?.delete(id);
    return request;
  }
}
