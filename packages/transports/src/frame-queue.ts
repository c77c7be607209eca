import type { FrameAbout, FrameReceiver } from '@turnwire/protocol';
import { Room } from './room.ts';

/** How much may wait in a queue before `send` asks the sender to wait. */
export interface QueueLimits {
  readonly frames: number;
  readonly text: number;
}

interface Carried {
  readonly frame: string;
  readonly about: FrameAbout | undefined;
  next: Carried | undefined;
}

interface Ending {
  readonly reason?: Error | undefined;
}

/**
 * Frames on their way to a receiver, in order, one at a time: the next is delivered when the receiver is done with the last.
 * Delivery happens in a later microtask, so that a peer is never called from inside its own `send`.
 */
export class FrameQueue {
  readonly #limits: QueueLimits;
  readonly #room = new Room();
  #receiver: FrameReceiver | undefined;
  /** The frame that is delivered next, and the one that came last. */
  #first: Carried | undefined;
  #last: Carried | undefined;
  #waiting = 0;
  #text = 0;
  #ending: Ending | undefined;
  /** A delivery is due, running, or held back by the receiver's promise. */
  #busy = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    this.#schedule();
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    if (this.#ending !== undefined) return undefined;
    const carried: Carried = { frame, about, next: undefined };
    if (this.#last === undefined) this.#first = carried;
    else this.#last.next = carried;
    this.#last = carried;
    this.#waiting++;
    this.#text += frame.length;
    this.#schedule();
    return this.#isFull() ? this.#room.wait() : undefined;
  }

  /** Text that waits, in UTF-16 units. */
  get text(): number {
    return this.#text;
  }

  /** Takes no more frames. What is queued is delivered first. */
  end(reason?: Error): void {
    this.#ending ??= { reason };
    this.#schedule();
  }

  /** Drops what is queued, then ends. The first reason stands. */
  abort(reason: Error): void {
    this.#ending = { reason: this.#ending?.reason ?? reason };
    this.#clear();
    this.#room.release();
    // A receiver that still chews on a frame need not finish it to learn of the end.
    queueMicrotask(() => this.#finish());
  }

  #isFull(): boolean {
    return this.#waiting > this.#limits.frames || this.#text > this.#limits.text;
  }

  #schedule(): void {
    if (this.#busy || this.#receiver === undefined) return;
    this.#busy = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const pause = this.#receiver?.frame(next.frame, next.about);
      if (!this.#isFull()) this.#room.release();
      if (pause !== undefined) return this.#deliverAfter(pause);
    }
    this.#busy = false;
    if (this.#ending !== undefined) this.#finish();
  }

  #deliverAfter(pause: Promise<void>): void {
    const goOn = (): void => this.#deliver();
    pause.then(goOn, goOn);
  }

  #take(): Carried | undefined {
    const carried = this.#first;
    if (carried === undefined) return undefined;
    this.#first = carried.next;
    if (this.#first === undefined) this.#last = undefined;
    // One that is old must not keep all that came after it, for the garbage collector, until the whole heap is looked at.
    carried.next = undefined;
    this.#waiting--;
    this.#text -= carried.frame.length;
    return carried;
  }

  #clear(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#waiting = 0;
    this.#text = 0;
  }

  #finish(): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.end(this.#ending?.reason);
  }
}
