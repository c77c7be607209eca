import type { Backlog } from './backlog.ts';

/** Calls a handler. A promise means the handler is still running; it never rejects. */
export type Delivery = () => Promise<void> | undefined;

interface Waiting {
  readonly delivery: Delivery;
  readonly size: number;
  next?: Waiting;
}

/** The messages that wait behind one session's running handler, in the order they arrived. */
class Lane {
  /** It waits until it is released, and for no handler. */
  isHeld = false;
  #first: Waiting | undefined;
  #last: Waiting | undefined;

  push(waiting: Waiting): void {
    if (this.#first === undefined) this.#first = waiting;
    else (this.#last as Waiting).next = waiting;
    this.#last = waiting;
  }

  next(): Waiting | undefined {
    const first = this.#first;
    this.#first = first?.next;
    return first;
  }
}

/**
 * Keeps the messages of one session in order while one of its handlers is still running, without making other
 * sessions wait. A lane exists only while something is running or held in it; messages without a session share one.
 */
export class Lanes {
  readonly #backlog: Backlog;
  /** There while messages of any session wait. */
  #lanes: Map<string | undefined, Lane> | undefined;

  constructor(backlog: Backlog) {
    this.#backlog = backlog;
  }

  /** True if a message of this session can be delivered at once. */
  isFree(session: string | undefined): boolean {
    return this.#lanes?.has(session) !== true;
  }

  /** Keeps the session's messages waiting until the handler is done. */
  occupy(session: string | undefined, handling: Promise<void>): void {
    const lane = this.#open(session);
    void handling.then(() => this.#advance(session, lane));
  }

  /** Delivers after everything that waits in the lane. */
  queue(session: string | undefined, size: number, delivery: Delivery): void {
    this.#backlog.add(size);
    this.#lanes?.get(session)?.push({ delivery, size });
  }

  /** Keeps the session's messages waiting until it is released, unless they wait for something already. */
  hold(session: string): void {
    if (this.isFree(session)) this.#open(session).isHeld = true;
  }

  release(session: string | undefined): void {
    const lane = this.#lanes?.get(session);
    if (lane?.isHeld) {
      lane.isHeld = false;
      this.#advance(session, lane);
    }
  }

  releaseAll(): void {
    for (const session of [...(this.#lanes?.keys() ?? [])]) this.release(session);
  }

  #open(session: string | undefined): Lane {
    const lane = new Lane();
    (this.#lanes ??= new Map()).set(session, lane);
    return lane;
  }

  #advance(session: string | undefined, lane: Lane): void {
    for (let first = lane.next(); first !== undefined; first = lane.next()) {
      this.#backlog.remove(first.size);
      const handling = first.delivery();
      if (handling !== undefined) return void handling.then(() => this.#advance(session, lane));
    }
    this.#lanes?.delete(session);
    if (this.#lanes?.size === 0) this.#lanes = undefined;
  }
}
